import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { RpcError } from "../../src/jsonrpc/index.js";
import type { CaseBindings } from "./bindings.js";
import { differenceOf, hasPart } from "./json-difference.js";
import type { RpcClient } from "./rpc-client.js";

/** A step of a case about the server; each has one of the first four fields. */
export interface RpcStep {
  call?: string;
  notification?: string;
  server_request?: string;
  sleep_ms?: number;
  params?: unknown;
  respond?: unknown;
  result?: unknown;
  result_has?: unknown;
  result_keys?: string[];
  result_absent?: string[];
  error?: unknown;
  error_has?: unknown;
  params_has?: unknown;
  no_server_request_before?: boolean;
  rollout_exists?: boolean;
}

/** Does one step; returns what differs from what it says. */
export async function playRpcStep(
  step: RpcStep,
  client: RpcClient,
  bindings: CaseBindings,
): Promise<string | undefined> {
  const unknown = Object.keys(step).find((name) => !stepFields.has(name));
  if (unknown !== undefined) return `unknown field ${unknown} of a step`;
  const filled = bindings.fill(step) as RpcStep;
  if (filled.sleep_ms !== undefined) {
    await sleep(filled.sleep_ms);
    return undefined;
  }
  if (filled.call !== undefined) return playCall(filled, client, bindings);
  if (filled.notification !== undefined) {
    const before = client.asked.length;
    const { params } = await client.notification(filled.notification);
    if (filled.no_server_request_before && client.asked.length > before) {
      return `${filled.notification}: the server asked something before`;
    }
    return hasPart(filled.params_has, params);
  }
  const { request, answer } = await client.request(filled.server_request ?? "");
  answer(filled.respond);
  return hasPart(filled.params_has, request.params);
}

const stepFields: ReadonlySet<string> = new Set([
  "call",
  "notification",
  "server_request",
  "sleep_ms",
  "params",
  "respond",
  "result",
  "result_has",
  "result_keys",
  "result_absent",
  "error",
  "error_has",
  "params_has",
  "no_server_request_before",
  "rollout_exists",
]);

async function playCall(
  step: RpcStep,
  client: RpcClient,
  bindings: CaseBindings,
): Promise<string | undefined> {
  const { call = "", params, error, error_has } = step;
  const answer = await client.call(call, params).then(
    (result) => ({ result, error: undefined }),
    (reason: unknown) => {
      if (!(reason instanceof RpcError)) throw reason;
      return { result: undefined, error: reason.toJSON() };
    },
  );
  if (error !== undefined || error_has !== undefined) {
    const wrong = error === undefined ? undefined : differenceOf(error, answer.error);
    return named(call, wrong ?? hasPart(error_has, answer.error));
  }
  if (answer.error !== undefined) return `${call}: answered the error ${answer.error.message}`;
  return named(call, checkResult(step, answer.result as Record<string, unknown>, bindings));
}

function checkResult(
  step: RpcStep,
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

/** What later steps call by a name. */
const bound: readonly [field: string, name: string][] = [
  ["conversationId", "CONV"],
  ["subscriptionId", "SUB"],
  ["rolloutPath", "ROLLOUT"],
  ["loginId", "LOGIN"],
];

function named(call: string, difference: string | undefined): string | undefined {
  return difference === undefined ? undefined : `${call}: ${difference}`;
}

/** Where a file that was moved is now: the name it had, in the folder that is said. */
export function movedPath(to: string, from: string): string {
  return to.endsWith("<basename>") ? join(to, "..", basename(from)) : to;
}
