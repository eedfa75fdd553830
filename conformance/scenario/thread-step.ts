import type { RpcError } from "../../src/jsonrpc/index.js";
import type { CaseBindings } from "./bindings.js";
import { differenceOf, hasPart } from "./json-difference.js";
import type { CallAnswer, CommonStep, StepKind } from "./rpc-step.js";
import { valueAt } from "./value-at.js";

/** A step of a case about threads. */
export interface ThreadStep extends CommonStep {
  result?: unknown;
  /** Values by their dotted place, here and in `params_has`. */
  result_has?: Record<string, unknown>;
  result_regex?: Record<string, string>;
  result_lengths?: Record<string, number>;
  first_item_text?: string;
  first_has?: unknown;
  turn_status?: string;
  cursor_present?: boolean;
  result_keys?: string[];
  result_absent?: string[];
  error_has?: Record<string, unknown>;
  error?: { code: number; message?: string; message_contains?: string };
  params_has?: Record<string, unknown>;
  /** Selects a notification: the first whose item has these fields. */
  item_has?: Record<string, unknown>;
  same_item_id?: boolean;
  review_contains?: string[];
  delta_nonempty?: boolean;
  note?: string;
}

/** Handlers of steps about threads. */
export const threadSteps: StepKind<ThreadStep> = {
  fields: new Set([
    "result",
    "result_has",
    "result_regex",
    "result_lengths",
    "first_item_text",
    "first_has",
    "turn_status",
    "cursor_present",
    "result_keys",
    "result_absent",
    "error_has",
    "error",
    "params_has",
    "item_has",
    "same_item_id",
    "review_contains",
    "delta_nonempty",
    "note",
  ]),
  call: checkAnswer,
  asked: ({ params_has }, params) => hasPlaces(params_has, params),
  onNotification: checkNotification,
  isMeant: ({ item_has }, { params }) =>
    item_has === undefined || hasPart(item_has, valueAt(params, "item")) === undefined,
};

function checkAnswer(
  step: ThreadStep,
  { result, error }: CallAnswer,
  bindings: CaseBindings,
): string | undefined {
  if (step.error !== undefined) return checkError(step.error, error);
  if (step.error_has !== undefined) return hasPlaces(step.error_has, error?.toJSON());
  if (error !== undefined) return `answered the error ${error.message}`;
  bind(result, bindings);
  return checkResult(step, result);
}

function checkError(
  expected: NonNullable<ThreadStep["error"]>,
  found: RpcError | undefined,
): string | undefined {
  const { message_contains: part, ...exact } = expected;
  if (found === undefined) return "answered no error";
  if (part !== undefined && !found.message.includes(part)) return `the error is ${found.message}`;
  const { code, message } = found;
  return differenceOf(exact, part === undefined ? { code, message } : { code });
}

/** Values that later steps refer to by name. */
function bind(result: unknown, bindings: CaseBindings): void {
  for (const [path, name] of [
    ["thread.id", "THREAD"],
    ["thread.path", "PATH"],
    ["turn.id", "TURN"],
  ] as const) {
    const value = valueAt(result, path);
    if (typeof value === "string") bindings.set(name, value);
  }
}

function checkResult(step: ThreadStep, result: unknown): string | undefined {
  if (step.result !== undefined) {
    const difference = differenceOf(step.result, result);
    if (difference !== undefined) return difference;
  }
  for (const [path, pattern] of Object.entries(step.result_regex ?? {})) {
    const found = String(valueAt(result, path));
    if (!new RegExp(pattern).test(found)) return `${path} is ${found}`;
  }
  for (const [path, length] of Object.entries(step.result_lengths ?? {})) {
    const { length: found } = (valueAt(result, path) ?? []) as { length?: number };
    if (found !== length) return `${path} has ${found} entries, expected ${length}`;
  }
  const absent = step.result_keys?.find((path) => valueAt(result, path) === undefined);
  if (absent !== undefined) return `${absent} is missing`;
  const extra = step.result_absent?.find((path) => valueAt(result, path) !== undefined);
  if (extra !== undefined) return `${extra} is there`;
  const isThere = valueAt(result, "nextCursor") != null;
  if (step.cursor_present !== undefined && isThere !== step.cursor_present) {
    return `nextCursor ${isThere ? "is there" : "is missing"}`;
  }
  return (
    differs(step.first_item_text, valueAt(result, "thread.turns[0].items[0].content[0].text")) ??
    differs(step.turn_status, valueAt(result, "thread.turns[0].status")) ??
    hasPart(step.first_has, valueAt(result, "data[0]")) ??
    hasPlaces(step.result_has, result)
  );
}

function differs(expected: unknown, found: unknown): string | undefined {
  return expected === undefined ? undefined : differenceOf(expected, found);
}

function checkNotification(
  step: ThreadStep,
  params: unknown,
  bindings: CaseBindings,
): string | undefined {
  const id = valueAt(params, "item.id");
  if (step.same_item_id && id !== bindings.get("ITEM")) return `the item is ${String(id)}`;
  if (typeof id === "string") bindings.set("ITEM", id);
  const review = String(valueAt(params, "item.review"));
  const missing = step.review_contains?.find((part) => !review.includes(part));
  if (missing !== undefined) return `the review says nothing of ${missing}: ${review}`;
  if (step.delta_nonempty && valueAt(params, "delta") === "") return "the delta is empty";
  return hasPlaces(step.params_has, params);
}

function hasPlaces(
  places: Record<string, unknown> | undefined,
  found: unknown,
): string | undefined {
  for (const [path, expected] of Object.entries(places ?? {})) {
    const difference = differenceOf(expected, valueAt(found, path), path);
    if (difference !== undefined) return difference;
  }
  return undefined;
}
