import { runClientCase } from "../scenario/client-case.js";
import { runExecCase } from "../scenario/exec-case.js";
import { checkRun } from "../scenario/expect-run.js";
import { runForkCase } from "../scenario/fork-case.js";
import { runScenario } from "../scenario/run.js";
import type { Scenario } from "../scenario/scenario.js";
import type { SuiteAdapter, SuiteCase, SuiteContext } from "../suite.js";
import { type RunKind, runKind } from "./run-kind.js";

/** The engine as a whole: the requests to the model, and the events for the client. */
export const suite: SuiteAdapter = {
  name: "engine_scenarios",
  run: (testCase, context) => runKind(kinds, { kind: "scenario", ...testCase }, context),
};

const kinds: Record<string, RunKind<SuiteContext>> = {
  scenario: runWhole,
  client: runClientCase,
  exec: runExecCase,
  fork: runForkCase,
};

/** Runs the steps of a case and compares the outcome with its expectations. */
export async function runWhole(
  testCase: SuiteCase,
  { dir }: SuiteContext,
): Promise<string | undefined> {
  const scenario = testCase as SuiteCase & Scenario;
  const run = await runScenario(scenario, dir);
  return checkRun(scenario, run, testCase.expect as object);
}
