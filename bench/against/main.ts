import { existsSync, statSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { cpus } from "node:os";
import { join } from "node:path";
import { Skipped } from "../../interop/check.js";
import { openPackageCache } from "../../interop/package-cache.js";
import { commands } from "./cases/commands.js";
import { deltas } from "./cases/deltas.js";
import { exec } from "./cases/exec.js";
import { size } from "./cases/size.js";
import { soak } from "./cases/soak.js";
import { start } from "./cases/start.js";
import { stored } from "./cases/stored.js";
import { threads } from "./cases/threads.js";
import { tui } from "./cases/tui.js";
import { turns } from "./cases/turns.js";
import { listenCheapModel } from "./cheap-model.js";
import type { Contest } from "./contest.js";
import { putMeasured } from "./measured.js";
import type { Comparison, Row } from "./rounds.js";
import { bareSide, builtSide, executableSide, ourSide, referenceSide, type Side } from "./side.js";
import { toMarkdown, toTable } from "./table.js";

/** Cases by the name that `--only` takes, in the order of the table. */
export const comparisons: Record<string, Comparison> = {
  start,
  turns,
  deltas,
  threads,
  exec,
  size,
  stored,
  commands,
  tui,
  soak,
};

/** Options of a comparison. */
export interface AgainstOptions {
  /** Such as `codex@0.166.0`, the folder of a built clone, or an executable of ours. */
  against: readonly string[];
  only: readonly string[];
  short: boolean;
  rounds: number;
  soakSeconds: number;
  folder: string;
  json?: string;
  /** Puts the table into this file, between its marks; not for short runs. */
  docs?: string;
}

/** Measures ours, the bare program and the references in one run; returns the exit code. */
export async function measureAgainst(options: AgainstOptions): Promise<number> {
  const sides = [ourSide(), bareSide(), ...(await findReferences(options.against))];
  const { short, folder, soakSeconds, rounds } = options;
  const pieces = short ? 2000 : 20_000;
  const model = await listenCheapModel(pieces);
  const contest: Contest = {
    sides,
    model,
    deltas: pieces,
    rounds,
    short,
    folder,
    soakSeconds,
    note,
  };
  const rows: Row[] = [];
  try {
    for (const name of options.only.length > 0 ? options.only : Object.keys(comparisons)) {
      const measured = (await comparisons[name]?.measure(contest)) ?? [];
      if (measured.length > 0) console.log(`${toMarkdown(toTable(measured, sides))}\n`);
      rows.push(...measured);
      // Keep the results so far, even if the rest fails.
      if (options.docs !== undefined && measured.length > 0)
        await writeDocs(options.docs, rows, sides, options);
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
    if (existsSync(join(name, "bin/quire.js"))) {
      found.push(builtSide(name));
      continue;
    }
    if (statSync(name, { throwIfNoEntry: false })?.isFile()) {
      found.push(executableSide(name));
      continue;
    }
    const version = /^codex@(\d+\.\d+\.\d+)$/.exec(name)?.[1];
    if (version === undefined)
      throw new Error(`--against takes codex@X.Y.Z, a built clone or an executable, not ${name}`);
    try {
      found.push(await referenceSide(version, packages));
    } catch (error) {
      if (!(error instanceof Skipped)) throw error;
      note(`NOT MEASURED AGAINST ${name}: ${error.message}`);
    }
  }
  return found;
}

function note(line: string): void {
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
  const run = `${cpus().length} cores (${cpus()[0]?.model}), Node ${process.version}, ${rounds} rounds`;
  const names = Object.values(comparisons).flatMap(({ heads }) =>
    heads(false).map(({ name }) => name),
  );
  const measured = { runs: [run], table: toTable(rows, sides) };
  await writeFile(file, putMeasured(await readFile(file, "utf8"), measured, names));
}
