import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { comparisons, measureAgainst } from "./against/main.js";
import { cellFigures } from "./cases/cells.js";
import { fleetFigures } from "./cases/fleet.js";
import { fleetLiveFigures } from "./cases/fleet-live.js";
import { libraryFigures } from "./cases/library.js";
import { outputFigures } from "./cases/output.js";
import { patchFigures } from "./cases/patch.js";
import { protoFigures } from "./cases/proto.js";
import { rewindFigures } from "./cases/rewind.js";
import { rolloutFigures } from "./cases/rollout.js";
import { sandboxFigures } from "./cases/sandbox.js";
import { serverFigures } from "./cases/server.js";
import { tuiFigures } from "./cases/tui.js";
import { writeTable } from "./docs-table.js";
import { type Figure, LeftOut, ratioOf, type Scope } from "./figure.js";
import { betterOf, findSlow, writeFloor } from "./floor.js";
import { toTable } from "./report.js";

const subjects: Record<string, (scope: Scope) => Promise<Figure[]>> = {
  proto: protoFigures,
  server: serverFigures,
  library: libraryFigures,
  sandbox: sandboxFigures,
  cells: cellFigures,
  output: outputFigures,
  patch: patchFigures,
  rollout: rolloutFigures,
  tui: tuiFigures,
  fleet: fleetFigures,
  "fleet-live": fleetLiveFigures,
  rewind: rewindFigures,
};

/** Subjects with a table of their own in docs/performance.md. They take minutes, and run only if they are named. */
const documented: ReadonlySet<string> = new Set(["fleet", "fleet-live", "rewind"]);

const usage = `npm run bench -- [options]
  --short         smaller sizes; less than a minute
  --only NAME     one subject (${Object.keys(subjects).join(", ")}); may be repeated
  --json FILE     writes the figures to a file too
  --check         fails when a figure is far worse than bench/floor.json says, in three runs
  --write-floor   makes the figures of this run the floor
  --write-docs    puts the figures of a subject into its table in docs/performance.md
                  (${[...documented].join(", ")}); not with --short

npm run bench -- --against codex@0.166.0,codex@0.104.0 [options]
npm run bench -- --against ../clone-of-an-earlier-commit [options]
  --only NAME     one comparison (${Object.keys(comparisons).join(", ")}); may be repeated
  --short         smaller sizes and 3 rounds
  --rounds N      how often each side is measured (7)
  --soak SECONDS  how long the soak lasts (0: none)
  --json FILE     writes all samples to a file too
  --write-docs    puts the rows into the table of docs/performance.md; not with --short`;

process.exitCode = await main();

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      short: { type: "boolean", default: false },
      only: { type: "string", multiple: true, default: [] },
      json: { type: "string" },
      check: { type: "boolean", default: false },
      "write-floor": { type: "boolean", default: false },
      against: { type: "string" },
      rounds: { type: "string" },
      soak: { type: "string", default: "0" },
      "write-docs": { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  const fault = findFault(values);
  if (values.help || fault !== undefined) {
    if (fault !== undefined) console.error(fault);
    console.log(usage);
    return fault === undefined ? 0 : 2;
  }
  if (process.platform !== "linux") {
    console.error("The figures are read from /proc, which only Linux has");
    return 1;
  }

  if (values.against !== undefined) {
    return inFolder((folder) =>
      measureAgainst({
        against: values.against?.split(",").filter((name) => name !== "") ?? [],
        only: values.only,
        short: values.short,
        rounds: Number(values.rounds ?? (values.short ? 3 : 7)),
        soakSeconds: Number(values.soak),
        folder,
        ...(values.json === undefined ? {} : { json: values.json }),
        ...(values["write-docs"] ? { docs: resolve("docs/performance.md") } : {}),
      }),
    );
  }

  const usual = Object.keys(subjects).filter((name) => !documented.has(name));
  const names = values.only.length > 0 ? values.only : usual;
  const docs = values["write-docs"] ? resolve("docs/performance.md") : undefined;
  let figures = await measureAll(names, { short: values.short, docs });
  const floor = resolve("bench/floor.json");
  if (values.json !== undefined) await writeFile(values.json, toJson(figures));
  if (values["write-floor"]) await writeFloor(floor, figures);
  if (!values.check) return 0;
  let slow = await findSlow(floor, figures);
  for (let again = 0; again < 2 && slow.length > 0; again++) {
    console.log(`Measuring again, since ${slow.join("; ")}\n`);
    const repeated = await measureAll(names, { short: values.short, docs: undefined });
    figures = betterOf(figures, repeated);
    slow = await findSlow(floor, figures);
  }
  for (const line of slow) console.error(line);
  if (slow.length === 0) console.log(`All ${figures.length} figures are within the floor`);
  return slow.length === 0 ? 0 : 1;
}

interface Asked {
  against?: string | undefined;
  only: readonly string[];
  rounds?: string | undefined;
  soak: string;
  short: boolean;
  "write-docs": boolean;
}

/** Returns the error in the requested options. */
function findFault({ against, only, rounds = "1", soak, ...asked }: Asked): string | undefined {
  const known = against === undefined ? subjects : comparisons;
  const unknown = only.find((name) => !Object.hasOwn(known, name));
  if (unknown !== undefined) return `There is no subject ${unknown}`;
  if (!/^[1-9]\d*$/.test(rounds)) return `--rounds takes a whole number from 1 on, not ${rounds}`;
  if (!/^\d+$/.test(soak)) return `--soak takes whole seconds, not ${soak}`;
  if (only.includes("soak") && Number(soak) === 0)
    return "--only soak wants to know how long: --soak SECONDS";
  if (asked.short && asked["write-docs"])
    return "--write-docs is not for --short, whose figures are of smaller sizes";
  return undefined;
}

function measureAll(
  names: readonly string[],
  { short, docs }: { short: boolean; docs: string | undefined },
): Promise<Figure[]> {
  return inFolder(async (folder) => {
    const all: Figure[] = [];
    for (const name of names) {
      try {
        const figures = (await subjects[name]?.({ short, folder })) ?? [];
        console.log(toTable(name, figures));
        all.push(...figures);
        if (docs !== undefined && documented.has(name)) await writeTable(docs, name, figures);
      } catch (error) {
        if (!(error instanceof LeftOut)) throw error;
        console.log(`${name}\n  left out: ${error.message}\n`);
      }
    }
    return all;
  });
}

async function inFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(
    join(existsSync("/var/tmp") ? "/var/tmp" : tmpdir(), "quire-bench-"),
  );
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function toJson(figures: readonly Figure[]): string {
  const rows = figures.map((figure) => ({ ...figure, ratio: ratioOf(figure) }));
  return `${JSON.stringify({ node: process.version, figures: rows }, null, 2)}\n`;
}
