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

/** Runs the cases of one suite file against the project. */
export interface SuiteAdapter {
  /** The suite's name, which is the file's name without `.json`. */
  name: string;
  /** What it tests knows of platforms only by parameter, so that cases for others run here too. */
  runsAnyPlatform?: true;
  /** Returns nothing when the case passed, else what differs. Throwing counts as a difference. */
  run(testCase: SuiteCase, context: SuiteContext): string | undefined | Promise<string | undefined>;
}
