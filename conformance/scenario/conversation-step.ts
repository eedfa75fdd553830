import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import type { CaseBindings } from "./bindings.js";
import { differenceOf, hasPart } from "./json-difference.js";
import type { CallAnswer, CommonStep, StepKind } from "./rpc-step.js";

/** A step of a case about conversations. */
export interface ConversationStep extends CommonStep {
  result?: unknown;
  result_has?: unknown;
  result_keys?: string[];
  result_absent?: string[];
  error?: unknown;
  error_has?: unknown;
  params_has?: unknown;
  rollout_exists?: boolean;
}

/** Handlers of steps about conversations. */
export const conversationSteps: StepKind<ConversationStep> = {
  fields: new Set([
    "result",
    "result_has",
    "result_keys",
    "result_absent",
    "error",
    "error_has",
    "params_has",
    "rollout_exists",
  ]),
  call: checkAnswer,
  asked: ({ params_has }, params) => hasPart(params_has, params),
  onNotification: ({ params_has }, params) => hasPart(params_has, params),
};

function checkAnswer(
  step: ConversationStep,
  answer: CallAnswer,
  bindings: CaseBindings,
): string | undefined {
  const error = answer.error?.toJSON();
  if (step.error !== undefined || step.error_has !== undefined) {
    const wrong = step.error === undefined ? undefined : differenceOf(step.error, error);
    return wrong ?? hasPart(step.error_has, error);
  }
  if (error !== undefined) return `answered the error ${error.message}`;
  return checkResult(step, answer.result as Record<string, unknown>, bindings);
}

function checkResult(
  step: ConversationStep,
  result: Record<string, unknown>,
  bindings: CaseBindings,
): string | undefined {
  for (const [field, name] of bound) {
    if (typeof result[field] === "string") bindings.set(name, result[field]);
  }
  if (step.result !== undefined) {
    const wrong = differenceOf(step.result, result);
    if (wrong !== undefined) return wrong;
  }
  const missing = step.result_keys?.find((name) => !(name in result));
  if (missing !== undefined) return `${missing} is missing`;
  const extra = step.result_absent?.find((name) => name in result);
  if (extra !== undefined) return `${extra} is there`;
  const path = String(result.rolloutPath);
  if (step.rollout_exists !== undefined && existsSync(path) !== step.rollout_exists) {
    return `${path} ${step.rollout_exists ? "is not there" : "is there"}`;
  }
  return hasPart(step.result_has, result);
}

/** Values that later steps refer to by name. */
const bound: readonly [field: string, name: string][] = [
  ["conversationId", "CONV"],
  ["subscriptionId", "SUB"],
  ["rolloutPath", "ROLLOUT"],
  ["loginId", "LOGIN"],
];

/** Path of a moved file: its old name in the given folder. */
export function movedPath(to: string, from: string): string {
  return to.endsWith("<basename>") ? join(to, "..", basename(from)) : to;
}
