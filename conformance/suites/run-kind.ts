import { CannotRun, type SuiteAdapter, type SuiteCase } from "../suite.js";

/** Runs cases of one kind; `Given` is the suite's input for each besides the case. */
export type RunKind<Given> = (testCase: SuiteCase, given: Given) => ReturnType<SuiteAdapter["run"]>;

/** Runs a case by the handler of its kind. */
export function runKind<Given>(
  kinds: Record<string, RunKind<Given>>,
  testCase: SuiteCase,
  given: Given,
): ReturnType<SuiteAdapter["run"]> {
  const kind = String(testCase.kind);
  const run = Object.hasOwn(kinds, kind) ? kinds[kind] : undefined;
  if (run === undefined) throw new CannotRun(`unknown kind ${kind}`);
  return run(testCase, given);
}
