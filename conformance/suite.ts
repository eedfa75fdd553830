/** One case of a suite as written in the file; each adapter reads the fields it knows. */
export interface SuiteCase {
  name: string;
  era: string;
  kind?: string;
  fn?: string;
  platform?: string;
  [field: string]: unknown;
}

/** Tools an adapter may use to run a case. */
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
  /** The tested code gets the platform as a parameter, so cases for other platforms run here too. */
  runsAnyPlatform?: true;
  /**
   * Returns nothing if the case passed, otherwise the difference. Throwing counts as a difference, except
   * for `CannotRun`. The working directory is the folder of the case.
   */
  run(testCase: SuiteCase, context: SuiteContext): string | undefined | Promise<string | undefined>;
}
