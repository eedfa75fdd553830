import { reportText } from "../report.js";
import { type Result, type Tally, tally } from "../result.js";
import { LEVELS, type Level } from "./levels.js";

/** A result with what the trace is about. */
export interface KitResult extends Result {
  level: Level;
  /** Version of the reference that the trace was recorded with. */
  version: string;
}

/** Everything that a run found. */
export interface KitReport {
  /** Version of this format. */
  format: 1;
  program: string[];
  /** True if something ran and nothing failed. */
  passed: boolean;
  seconds: number;
  levels: Partial<Record<Level, Tally>>;
  results: KitResult[];
}

/** Facts about a run beyond its results. */
export interface RunFacts {
  program: string[];
  seconds: number;
  describe(result: Result): { level: Level; version: string };
}

/** Sums up a run. */
export function toReport(results: Result[], { program, seconds, describe }: RunFacts): KitReport {
  const described = results.map((result): KitResult => ({ ...result, ...describe(result) }));
  const counts = tally(described, (result) => (result as KitResult).level);
  const levels: KitReport["levels"] = {};
  for (const level of LEVELS) {
    const count = counts.get(level);
    if (count !== undefined) levels[level] = count;
  }
  const ran = results.filter(({ status }) => status !== "not run");
  const passed = ran.length > 0 && ran.every(({ status }) => status !== "failed");
  return { format: 1, program, passed, seconds, levels, results: described };
}

/** Formats a run for people: the groups, the levels and the verdict. */
export function textReport(report: KitReport, results: Result[], verbose: boolean): string {
  if (results.length === 0) {
    return "FAILED: no trace has such a name, level and version (--list prints all of them)";
  }
  const levels = Object.entries(report.levels).map(([level, count]) => {
    const notes = [
      count.deviations > 0 ? `${count.deviations} deviations` : "",
      count.failed > 0 ? `${count.failed} failed` : "",
      count.notRun > 0 ? `${count.notRun} not run` : "",
    ].filter((note) => note !== "");
    return `${level.padEnd(10)} ${count.passed}/${count.total} ${notes.join(", ")}`.trimEnd();
  });
  return [reportText(results, verbose), levels.join("\n"), verdict(report, verbose)].join("\n\n");
}

function verdict({ passed, results, seconds }: KitReport, verbose: boolean): string {
  const failed = results.filter(({ status }) => status === "failed").length;
  const took = `in ${seconds.toFixed(1)} s`;
  if (passed) return `PASSED ${took}`;
  if (failed === 0) return "FAILED: none of these traces can run on this machine (-v shows why)";
  return `FAILED: ${failed} of ${results.length} traces differ ${took}${verbose ? "" : " (-v shows the differences)"}`;
}
