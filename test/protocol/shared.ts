import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A line of a trace: sender and message. */
export interface TraceLine {
  file: string;
  dir: string;
  msg: unknown;
}

/** True if the recorded traces exist next to the project. */
export const hasTraces = existsSync("../shared/traces");

/** Reports that tests on traces are skipped; in CI they must run. */
export function explainMissingTraces(): void {
  if (hasTraces) return;
  const message = "../shared/traces is missing: the tests on recorded traces did not run";
  if (process.env.CI === "true") throw new Error(message);
  console.warn(`SKIPPED: ${message}`);
}

/** All lines of the traces of one folder. */
export function readTraces(folder: string): TraceLine[] {
  const path = join("../shared/traces", folder);
  return readdirSync(path)
    .filter((file) => file.endsWith(".jsonl"))
    .flatMap((file) => {
      const lines = readFileSync(join(path, file), "utf8").split("\n").filter(Boolean);
      return lines.map((line) => ({ file, ...(JSON.parse(line) as Omit<TraceLine, "file">) }));
    });
}
