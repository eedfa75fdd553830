import { setTimeout as sleep } from "node:timers/promises";
import { type Notification, RpcError } from "../../src/jsonrpc/index.js";
import { CannotRun } from "../suite.js";
import type { CaseBindings } from "./bindings.js";
import type { RpcClient } from "./rpc-client.js";

/** Fields of steps of all kinds; each step has one of the first four. */
export interface CommonStep {
  call?: string;
  notification?: string;
  server_request?: string;
  sleep_ms?: number;
  params?: unknown;
  respond?: unknown;
  no_server_request_before?: boolean;
}

/** Handlers of steps of one kind; each returns the difference from the step's expectation. */
export interface StepKind<Step extends CommonStep> {
  /** The fields that it knows besides the common ones. */
  fields: ReadonlySet<string>;
  call(step: Step, answer: CallAnswer, bindings: CaseBindings): string | undefined;
  asked(step: Step, params: unknown): string | undefined;
  onNotification(step: Step, params: unknown, bindings: CaseBindings): string | undefined;
  /** Selects one of the notifications of a method; the next one by default. */
  isMeant?(step: Step, notification: Notification): boolean;
}

/** Reply of the server: a result or an error. */
export interface CallAnswer {
  result?: unknown;
  error?: RpcError;
}

/** Runs one step; returns the difference from its expectation. */
export async function playStep<Step extends CommonStep>(
  kind: StepKind<Step>,
  step: Step,
  client: RpcClient,
  bindings: CaseBindings,
): Promise<string | undefined> {
  const isKnown = (name: string) => commonFields.has(name) || kind.fields.has(name);
  const unknown = Object.keys(step).find((name) => !isKnown(name));
  if (unknown !== undefined) throw new CannotRun(`unknown field ${unknown} of a step`);
  const filled = bindings.fill(step) as Step;
  const { call, notification, server_request: asked = "" } = filled;
  if (filled.sleep_ms !== undefined) {
    await sleep(filled.sleep_ms);
    return undefined;
  }
  if (call !== undefined) {
    const answer = await answerOf(client, call, filled.params);
    return named(call, kind.call(filled, answer, bindings));
  }
  if (notification !== undefined) {
    const before = client.asked.length;
    const isMeant = (one: Notification) => kind.isMeant?.(filled, one) ?? true;
    const { params } = await client.notification(notification, isMeant);
    if (filled.no_server_request_before && client.asked.length > before) {
      return `${notification}: the server asked something before`;
    }
    return named(notification, kind.onNotification(filled, params, bindings));
  }
  const { request, answer } = await client.request(asked);
  answer(filled.respond);
  return named(asked, kind.asked(filled, request.params));
}

const commonFields: ReadonlySet<string> = new Set([
  "call",
  "notification",
  "server_request",
  "sleep_ms",
  "params",
  "respond",
  "no_server_request_before",
]);

async function answerOf(client: RpcClient, call: string, params: unknown): Promise<CallAnswer> {
  try {
    return { result: await client.call(call, params) };
  } catch (reason) {
    if (!(reason instanceof RpcError)) throw reason;
    return { error: reason };
  }
}

function named(what: string, difference: string | undefined): string | undefined {
  return difference === undefined ? undefined : `${what}: ${difference}`;
}
