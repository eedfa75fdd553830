import type { ModelBehavior } from "../compat/index.js";
import { asString } from "../lib/text.js";
import { isRecord, type JsonRecord, parseRecord } from "../protocol/read/check.js";
import type {
  CreditsSnapshot,
  RateLimitSnapshot,
  RateLimitWindow,
  TokenUsage,
} from "../protocol/types.js";
import { brokenOff, incompleteResponse, responseFailure } from "./failure.js";
import { readItem } from "./read-item.js";
import type { StreamItem } from "./types.js";

/** Parses an event of the stream; returns `undefined` for a malformed or irrelevant one. */
export function readStreamEvent(data: string, behavior: ModelBehavior): StreamItem | undefined {
  const event = parseRecord(data);
  if (event === undefined) return undefined;
  switch (event.type) {
    case "response.output_text.delta":
      if (typeof event.delta !== "string") return undefined;
      return { type: "text_delta", delta: event.delta, itemId: asString(event.item_id) };
    case "response.reasoning_summary_text.delta":
      return readReasoningDelta(event, "reasoning_delta", event.summary_index);
    case "response.reasoning_text.delta":
      return readReasoningDelta(event, "raw_reasoning_delta", event.content_index);
    case "response.reasoning_summary_part.added": {
      const index = numberOf(event.summary_index) ?? 0;
      return { type: "reasoning_part", itemId: asString(event.item_id), index };
    }
    case "response.custom_tool_call_input.delta":
      if (typeof event.delta !== "string") return undefined;
      return { type: "input_delta", delta: event.delta, itemId: asString(event.item_id) };
    case "response.output_item.added":
      return readItemEvent(event, "item_added");
    case "response.output_item.done":
      return readItemEvent(event, "item_done");
    case "response.created":
      if (!isRecord(event.response)) return undefined;
      return { type: "created", responseId: asString(event.response.id) };
    case "response.completed":
    case "response.done":
      return readCompleted(event);
    case "response.failed": {
      const error = isRecord(event.response) ? event.response.error : undefined;
      return { type: "failed", failure: responseFailure(error, behavior) };
    }
    case "response.incomplete":
      return readIncomplete(event, behavior);
    case "error": {
      const error = isRecord(event.error) ? event.error : event;
      return { type: "failed", failure: responseFailure(error, behavior) };
    }
    default:
      return undefined;
  }
}

function readReasoningDelta(
  event: JsonRecord,
  type: "reasoning_delta" | "raw_reasoning_delta",
  index: unknown,
): StreamItem | undefined {
  const { delta } = event;
  if (typeof delta !== "string") return undefined;
  return { type, delta, itemId: asString(event.item_id), index: numberOf(index) ?? 0 };
}

function readItemEvent(
  event: JsonRecord,
  type: "item_added" | "item_done",
): StreamItem | undefined {
  const item = readItem(event.item);
  return item === undefined ? undefined : { type, item };
}

function readCompleted({ type, response }: JsonRecord): StreamItem | undefined {
  if (!isRecord(response)) {
    if (type !== "response.done") return undefined;
    return { type: "completed", responseId: undefined, usage: undefined };
  }
  return {
    type: "completed",
    responseId: asString(response.id),
    usage: readUsage(response.usage),
    ...(response.end_turn === false && { goesOn: true as const }),
  };
}

/** Earlier versions did not know truncated responses: for them the stream ends too soon. */
function readIncomplete({ response }: JsonRecord, behavior: ModelBehavior): StreamItem | undefined {
  if (behavior.failures === "2025") return undefined;
  const details = isRecord(response) ? response.incomplete_details : undefined;
  const reason = (isRecord(details) ? asString(details.reason) : undefined) ?? "unknown";
  const failure = incompleteResponse(reason);
  if (behavior.streamFailures === "2026-11") return { type: "failed", failure };
  return { type: "failed", failure: brokenOff("response_failed", failure.message) };
}

function readUsage(usage: unknown): TokenUsage | undefined {
  if (!isRecord(usage)) return undefined;
  const { input_tokens_details: input, output_tokens_details: output } = usage;
  const input_tokens = tokenCount(usage.input_tokens) ?? 0;
  const output_tokens = tokenCount(usage.output_tokens) ?? 0;
  return {
    input_tokens,
    cached_input_tokens: (isRecord(input) ? tokenCount(input.cached_tokens) : undefined) ?? 0,
    output_tokens,
    reasoning_output_tokens:
      (isRecord(output) ? tokenCount(output.reasoning_tokens) : undefined) ?? 0,
    total_tokens: tokenCount(usage.total_tokens) ?? input_tokens + output_tokens,
  };
}

/** Returns a number of tokens; `undefined` for a value that is none, such as a negative one. */
export function tokenCount(value: unknown): number | undefined {
  const count = numberOf(value);
  return count !== undefined && count >= 0 && Number.isSafeInteger(count) ? count : undefined;
}

function numberOf(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

/** Response headers by lower-case name. */
export type AnswerHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** Returns a header as text; the first one if there are several. */
export function headerText(headers: AnswerHeaders, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}

/** Parses the usage of the user's limits from response headers. */
export function readRateLimits(
  headers: AnswerHeaders,
  form: ModelBehavior["rateLimitFormat"],
  nowMs: number,
): RateLimitSnapshot {
  if (form === "2025") {
    return {
      primary: readWindow(headers, "x-codex-primary", form, nowMs),
      secondary: readWindow(headers, "x-codex-secondary", form, nowMs),
    };
  }
  const limit = headerText(headers, "x-codex-active-limit")?.trim().toLowerCase() || "codex";
  const prefix = `x-${limit.replaceAll("_", "-")}`;
  return {
    limit_id: limit.replaceAll("-", "_"),
    limit_name: headerText(headers, `${prefix}-limit-name`)?.trim() || null,
    primary: readWindow(headers, `${prefix}-primary`, form, nowMs),
    secondary: readWindow(headers, `${prefix}-secondary`, form, nowMs),
    credits: readCredits(headers),
    plan_type: null,
  };
}

/** A window without any number counts as absent. */
function readWindow(
  headers: AnswerHeaders,
  prefix: string,
  form: ModelBehavior["rateLimitFormat"],
  nowMs: number,
): RateLimitWindow | null {
  const used_percent = readNumber(headers, `${prefix}-used-percent`);
  if (used_percent === undefined) return null;
  const window_minutes = readInteger(headers, `${prefix}-window-minutes`) ?? null;
  const now = Math.floor(nowMs / 1000);
  const after = readInteger(headers, `${prefix}-reset-after-seconds`);
  const at = readInteger(headers, `${prefix}-reset-at`);
  if (used_percent === 0 && !window_minutes && !after && at === undefined) return null;
  if (form === "2025") {
    const resets_in_seconds = after ?? (at === undefined ? null : Math.max(0, at - now));
    return { used_percent, window_minutes, resets_in_seconds };
  }
  const resets_at = at ?? (after === undefined ? null : now + after);
  return { used_percent, window_minutes, resets_at };
}

function readCredits(headers: AnswerHeaders): CreditsSnapshot | null {
  const has_credits = readBoolean(headers, "x-codex-credits-has-credits");
  const unlimited = readBoolean(headers, "x-codex-credits-unlimited");
  if (has_credits === undefined || unlimited === undefined) return null;
  const balance = headerText(headers, "x-codex-credits-balance")?.trim() || null;
  return { has_credits, unlimited, balance };
}

function readNumber(headers: AnswerHeaders, name: string): number | undefined {
  const text = headerText(headers, name)?.trim();
  if (!text) return undefined;
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}

function readInteger(headers: AnswerHeaders, name: string): number | undefined {
  const value = readNumber(headers, name);
  return Number.isSafeInteger(value) ? value : undefined;
}

function readBoolean(headers: AnswerHeaders, name: string): boolean | undefined {
  const text = headerText(headers, name)?.toLowerCase();
  if (text === "true" || text === "1") return true;
  return text === "false" || text === "0" ? false : undefined;
}
