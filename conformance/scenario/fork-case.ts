import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { RolloutLine } from "../../src/protocol/types.js";
import type { SuiteCase, SuiteContext } from "../suite.js";
import { checkRun } from "./expect-run.js";
import { firstDifference, show } from "./facts.js";
import { forkRollout } from "./fork.js";
import { type InputEntry, textOf } from "./request-facts.js";
import { readRolloutLines, runScenario } from "./run.js";
import type { Scenario } from "./scenario.js";

/** A copy of a conversation: where it is taken from, and before which message of the user it ends. */
interface Fork {
  /** `base`, or `fork1`, `fork2`… for an earlier copy. */
  from: string;
  nth_user_message: number;
  /** Stated in prose: everything strictly before that message. */
  expect_items: string;
}

/** Runs a conversation and copies parts of it, and of the copies. */
export async function runForkCase(
  testCase: SuiteCase,
  { dir }: SuiteContext,
): Promise<string | undefined> {
  const scenario = testCase as SuiteCase & Scenario;
  const run = await runScenario(scenario, dir);
  const paths: Record<string, string> = { base: run.rolloutPath };
  const checks: (() => string | undefined)[] = [];
  for (const [index, fork] of (testCase.forks as Fork[]).entries()) {
    const name = `fork${index + 1}`;
    const source = paths[fork.from];
    if (source === undefined) return `${name}: there is no ${fork.from}`;
    const home = join(dir, name);
    const copy = await forkRollout(source, fork.nth_user_message, { home });
    paths[name] = copy;
    const [before, after] = [await itemsOf(source), await itemsOf(copy)];
    const wanted = before.slice(0, userMessages(before)[fork.nth_user_message] ?? 0);
    checks.push(() =>
      isDeepStrictEqual(after, wanted) ? undefined : `${name}: ${show(after)}, not ${show(wanted)}`,
    );
  }
  return (
    firstDifference(checks) ?? (await checkRun(scenario, run, (testCase.expect ?? {}) as object))
  );
}

/** Items of a conversation, without the lines that name its owner. */
async function itemsOf(path: string): Promise<Pick<RolloutLine, "type" | "payload">[]> {
  const lines = await readRolloutLines(path);
  return lines
    .filter(({ type }) => type !== "session_meta")
    .map(({ type, payload }) => ({ type, payload }));
}

/** Positions of the messages written by the user, not by the engine. */
function userMessages(items: Pick<RolloutLine, "type" | "payload">[]): number[] {
  return items.flatMap(({ type, payload }, at) => {
    const item = payload as unknown as InputEntry;
    const isUser = type === "response_item" && item.type === "message" && item.role === "user";
    return isUser && !/^<(user_instructions|environment_context)>/.test(textOf(item)) ? [at] : [];
  });
}
