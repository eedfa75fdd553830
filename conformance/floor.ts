import { readFile, writeFile } from "node:fs/promises";
import { type Result, tally } from "./result.js";

/** The counts once reached, by kind and group. */
export interface Floor {
  traces: Record<string, FloorCount>;
  suites: Record<string, FloorCount>;
}

/** Number of cases of one group that passed, and of those that deviate on purpose. */
export interface FloorCount {
  passed: number;
  deviations: number;
}

/** Reads the floor; a file that does not exist yet asks for nothing. */
export async function readFloor(path: string): Promise<Floor> {
  const text = await readFile(path, "utf8").catch(() => '{"traces":{},"suites":{}}');
  return JSON.parse(text) as Floor;
}

/** Returns the groups that fell below the floor. */
export function belowFloor(floor: Floor, results: Result[]): string[] {
  const reached = toFloor(results);
  // What a machine cannot run, for lack of root or a program, falls below nothing.
  const notRun = new Map<string, number>();
  for (const { kind, group, status } of results) {
    const key = `${kind}s ${group}`;
    if (status === "not run") notRun.set(key, (notRun.get(key) ?? 0) + 1);
  }
  const found: string[] = [];
  for (const kind of ["traces", "suites"] as const) {
    for (const [group, { passed, deviations }] of Object.entries(floor[kind])) {
      const now = reached[kind][group];
      if (!now) continue; // not part of this run
      const free = notRun.get(`${kind} ${group}`) ?? 0;
      if (now.passed + free < passed)
        found.push(`${group}: ${now.passed} passed, the floor is ${passed}`);
      else if (now.passed + now.deviations + free < passed + deviations) {
        found.push(`${group}: ${now.deviations} deviations hold, the floor is ${deviations}`);
      }
    }
  }
  return found;
}

/** Writes the counts of a run over those of the same groups. */
export async function writeFloor(path: string, old: Floor, results: Result[]): Promise<void> {
  const reached = toFloor(results);
  const floor: Floor = {
    traces: inOrder({ ...old.traces, ...reached.traces }),
    suites: inOrder({ ...old.suites, ...reached.suites }),
  };
  await writeFile(path, `${JSON.stringify(floor, null, 2)}\n`);
}

function toFloor(results: Result[]): Floor {
  const floor: Floor = { traces: {}, suites: {} };
  for (const kind of ["trace", "suite"] as const) {
    const groups = tally(
      results.filter((result) => result.kind === kind),
      (result) => result.group,
    );
    for (const [group, { passed, deviations }] of groups) {
      floor[kind === "trace" ? "traces" : "suites"][group] = { passed, deviations };
    }
  }
  return floor;
}

function inOrder(counts: Record<string, FloorCount>): Record<string, FloorCount> {
  return Object.fromEntries(Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1)));
}
