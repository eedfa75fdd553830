import { createLocalParts } from "../../src/engine/local/parts.js";
import { runCommand } from "../../src/exec/index.js";
import type { SuiteCase, SuiteContext } from "../suite.js";
import { checkFacts } from "./facts.js";
import type { Scenario } from "./scenario.js";
import { preparePlace } from "./settings.js";

/** Runs a command as tools do, without a sandbox, and looks at all it has written. */
export async function runExecCase(
  testCase: SuiteCase,
  { dir }: SuiteContext,
): Promise<string | undefined> {
  const { workspace, env, era } = await preparePlace(testCase as SuiteCase & Scenario, dir);
  const parts = createLocalParts({ env, cwd: workspace, era: era.name });
  const launch = await parts.machine.sandbox.prepare({
    argv: testCase.argv as string[],
    cwd: workspace,
    workdir: workspace,
    policy: { mode: "danger-full-access" },
    env: { PATH: process.env.PATH ?? "" },
  });
  if (launch instanceof Error) return launch.message;
  const chunks: Record<string, Buffer[]> = { stdout: [], stderr: [] };
  const result = await runCommand({
    launch,
    onOutput: (stream, chunk) => chunks[stream]?.push(Buffer.from(chunk)),
    ...(typeof testCase.timeout_ms === "number" ? { timeoutMs: testCase.timeout_ms } : {}),
  });
  await parts.close();

  const facts = {
    exit_code: result.exitCode,
    stdout: result.stdout,
    stderr: result.stderr,
    aggregated_output: result.aggregated,
    aggregated: result.aggregated,
    timed_out: result.timedOut,
  };
  const { deltas = {}, ...expected } = testCase.expect as Record<string, object>;
  const actual = Object.fromEntries(
    Object.entries(chunks).map(([stream, list]) => [stream, Buffer.concat(list).toString()]),
  );
  return checkFacts(facts, expected) ?? checkFacts(actual, deltas);
}
