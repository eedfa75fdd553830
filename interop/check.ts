import type { PackageCache } from "./package-cache.js";

/** One thing that is shown with a program of others. */
export interface Check {
  /** How it is asked for: words with dashes, the most general first. */
  name: string;
  /** Whether it belongs to the cheapest set. */
  short: boolean;
  /** Returns in one sentence what was run and seen; throws when it came out otherwise. */
  run(context: CheckContext): Promise<string>;
}

/** What a check is given. */
export interface CheckContext {
  packages: PackageCache;
  /** Whose program the clients of others get: ours, or the reference's to prove the check itself. */
  subject: "ours" | "reference";
  /** Aborts when the run is interrupted; then all that was started must end. */
  signal: AbortSignal;
  /** Tells those who asked for details. */
  note(line: string): void;
}

/** Says that a check could not be run here, through no fault of the programs. */
export class Skipped extends Error {
  override name = "Skipped";
}
