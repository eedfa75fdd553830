/** Result of a trace or case. */
export type Status = "passed" | "deviation" | "failed" | "not run";

/** The outcome of one trace or case. */
export interface Result {
  kind: "trace" | "suite";
  /** The folder of a trace, the name of a suite. */
  group: string;
  name: string;
  status: Status;
  /** The differences, the reason for not running it, or the error in its deviation. */
  differences: string[];
  /** Traces only: whether each of the two halves agrees. */
  events?: boolean;
  requests?: boolean;
  /** Traces only: how often it was run. */
  runs?: number;
  /** Traces only: duration of the last run. */
  ms?: number;
  /** Suites only: the era of the reference the case was read from. */
  era?: string;
}

/** Counts of one group. */
export interface Tally {
  passed: number;
  total: number;
  deviations: number;
  failed: number;
  notRun: number;
  events: number;
  requests: number;
}

/** Counts results by a key, in the order the keys first come. */
export function tally(results: Result[], keyOf: (result: Result) => string): Map<string, Tally> {
  const counts = new Map<string, Tally>();
  for (const result of results) {
    const key = keyOf(result);
    const count = counts.get(key) ?? emptyTally();
    counts.set(key, count);
    count.total++;
    if (result.status === "passed") count.passed++;
    if (result.status === "deviation") count.deviations++;
    if (result.status === "failed") count.failed++;
    if (result.status === "not run") count.notRun++;
    if (result.events) count.events++;
    if (result.requests) count.requests++;
  }
  return counts;
}

function emptyTally(): Tally {
  return { passed: 0, total: 0, deviations: 0, failed: 0, notRun: 0, events: 0, requests: 0 };
}
