import type { PackageCache } from "./package-cache.js";

/** One thing that is shown with a program of others. */
export interface Check {
  /** Name on the command line: words with dashes, the most general first. */
  name: string;
  /** True if it belongs to the cheapest set. */
  short: boolean;
  /** Returns one sentence about the run and its result; throws if it failed. */
  run(context: CheckContext): Promise<string>;
}

/** Context of a check. */
export interface CheckContext {
  packages: PackageCache;
  /** Whose program the clients of others get: ours, or the reference's to prove the check itself. */
  subject: "ours" | "reference";
  /** The inspector is between the client and that program. */
  inspects?: boolean;
  /** Aborts when the run is interrupted; then all that was started must end. */
  signal: AbortSignal;
  /** Prints details if they were requested. */
  note(line: string): void;
}

/** Thrown if a check cannot be run here, through no fault of the programs. */
export class Skipped extends Error {
  override name = "Skipped";
}
