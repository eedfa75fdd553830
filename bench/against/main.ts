import { readFile, writeFile } from "node:fs/promises";
import { cpus } from "node:os";
import { Skipped } from "../../interop/check.js";
import { openPackageCache } from "../../interop/package-cache.js";
import { commandRows } from "./cases/commands.js";
import { deltaRows } from "./cases/deltas.js";
import { execRows } from "./cases/exec.js";
import { sizeRows } from "./cases/size.js";
import { soakRows } from "./cases/soak.js";
import { startRows } from "./cases/start.js";
import { storedRows } from "./cases/stored.js";
import { threadRows } from "./cases/threads.js";
import { tuiRows } from "./cases/tui.js";
import { turnRows } from "./cases/turns.js";
import { listenCheapModel } from "./cheap-model.js";
import type { Contest } from "./contest.js";
import type { Row } from "./rounds.js";
import { bareSide, ourSide, referenceSide, type Side } from "./side.js";
import { toTable } from "./table.js";

/** What is measured, by the name that `--only` takes. */
export const contests: Record<string, (contest: Contest) => Promise<Row[]>> = {
  start: startRows,
  turns: turnRows,
  deltas: deltaRows,
  threads: threadRows,
  exec: execRows,
  size: sizeRows,
  stored: storedRows,
  commands: commandRows,
  tui: tuiRows,
  soak: soakRows,
};

/** How a comparison is run. */
export interface AgainstOptions {
  /** Such as `codex@0.166.0`. */
  against: readonly string[];
  only: readonly string[];
  short: boolean;
  rounds: number;
  soakSeconds: number;
  folder: string;
  json?: string;
  /** Puts the table into this file, between its marks. */
  docs?: string;
}

/** Measures ours, the bare program and the references in one run; returns the exit code. */
export async function measureAgainst(options: AgainstOptions): Promise<number> {
  const sides = [ourSide(), bareSide(), ...(await findReferences(options.against))];
  const deltas = options.short ? 2000 : 20_000;
  const model = await listenCheapModel(deltas);
  const { short, folder, soakSeconds } = options;
  const rounds = options.rounds;
  const contest: Contest = { sides, model, deltas, rounds, short, folder, soakSeconds, warn };
  const rows: Row[] = [];
  try {
    for (const name of options.only.length > 0 ? options.only : Object.keys(contests)) {
      const measured = (await contests[name]?.(contest)) ?? [];
      if (measured.length > 0) console.log(`${toTable(measured, sides)}\n`);
      rows.push(...measured);
      // What was measured is kept, whatever becomes of the rest.
      if (options.docs !== undefined) await writeDocs(options.docs, rows, sides, options);
    }
  } finally {
    await model.close();
  }
  if (options.json !== undefined) await writeFile(options.json, toJson(rows));
  return 0;
}

async function findReferences(wanted: readonly string[]): Promise<Side[]> {
  const signal = new AbortController().signal;
  const packages = openPackageCache(process.env, { note: console.log, signal });
  const found: Side[] = [];
  for (const name of wanted) {
    const version = /^codex@(\d+\.\d+\.\d+)$/.exec(name)?.[1];
    if (version === undefined) throw new Error(`--against takes codex@X.Y.Z, not ${name}`);
    try {
      found.push(await referenceSide(version, packages));
    } catch (error) {
      if (!(error instanceof Skipped)) throw error;
      warn(`NOT MEASURED AGAINST ${name}: ${error.message}`);
    }
  }
  return found;
}

function warn(line: string): void {
  console.error(line);
}

function toJson(rows: readonly Row[]): string {
  const plain = rows.map((row) => ({ ...row, samples: Object.fromEntries(row.samples) }));
  return `${JSON.stringify({ node: process.version, rows: plain }, null, 2)}\n`;
}

async function writeDocs(
  file: string,
  rows: readonly Row[],
  sides: readonly Side[],
  { rounds }: AgainstOptions,
): Promise<void> {
  const [begin, end] = ["<!-- measured: begin -->", "<!-- measured: end -->"];
  const text = await readFile(file, "utf8");
  const [before, rest] = text.split(begin);
  const after = rest?.split(end)[1];
  if (after === undefined) throw new Error(`${file} has no place for the table: ${begin} … ${end}`);
  const about = `${cpus().length} cores (${cpus()[0]?.model}), Node ${process.version}, ${rounds} rounds.`;
  const table = toTable(rows, sides);
  await writeFile(file, `${before}${begin}\n\n${about}\n\n${table}\n\n${end}${after}`);
}
