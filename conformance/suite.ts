/** One case of a suite as it stands in the file; each adapter reads the fields it knows. */
export interface SuiteCase {
  name: string;
  era: string;
  kind?: string;
  fn?: string;
  platform?: string;
  [field: string]: unknown;
}

/** What an adapter may use to run a case. */
export interface SuiteContext {
  /** An empty folder of this case's own; removed afterwards. */
  dir: string;
}

/** Thrown by an adapter that does not know how to run a case, which then counts as not run. */
export class CannotRun extends Error {}

/** Runs the cases of one suite file against the project. */
export interface SuiteAdapter {
  /** The suite's name, which is the file's name without `.json`. */
  name: string;
  /** What it tests knows of platforms only by parameter, so that cases for others run here too. */
  runsAnyPlatform?: true;
  /**
   * Returns nothing when the case passed, else what differs. Throwing counts as a difference, except
   * for `CannotRun`. The working directory is the folder of the case.
   */
  run(testCase: SuiteCase, context: SuiteContext): string | undefined | Promise<string | undefined>;
}
