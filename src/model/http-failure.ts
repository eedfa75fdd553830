import type { ModelBehavior } from "../compat/index.js";
import { asString } from "../lib/text.js";
import { isRecord, parseRecord } from "../protocol/read/check.js";
import { overloaded } from "./failure.js";
import { type AnswerHeaders, headerText, readRateLimits } from "./read-stream-event.js";
import { refusalCode, refusalText, saysTooLong } from "./refusal-text.js";
import type { ModelFailure } from "./types.js";
import { unexpectedStatusText } from "./unexpected-status.js";
import { readUsageRefusal, usageLimitText, usageNotIncludedText } from "./usage-limit.js";

/** A response with an error status. */
export interface Refusal {
  url: string;
  status: number;
  /** Status with its name, such as `429 Too Many Requests`. */
  statusLine: string;
  headers: AnswerHeaders;
  body: string;
  /** Plan of the login, used if the body does not name one. */
  planType?: string | undefined;
  /** Number of the refused attempt, and the total that the budget allows. */
  attempt: { number: number; of: number };
}

/** A failure, and whether the same request may be sent again. */
export interface RefusalOutcome {
  failure: ModelFailure;
  again: boolean;
}

/** Maps a refusal to a failure. */
export function readRefusal(
  refusal: Refusal,
  behavior: ModelBehavior,
  nowMs: number,
): RefusalOutcome {
  const { status } = refusal;
  const usage = status === 429 ? usageFailure(refusal, behavior, nowMs) : undefined;
  if (usage !== undefined) return { failure: usage, again: false };

  const failure = statusFailure(refusal, behavior);
  const again =
    behavior.failures === "server"
      ? failure.retryable
      : status === 429 || status >= 500 || (status === 401 && behavior.failures === "2025");
  const delay =
    behavior.failures !== "2026" && again ? retryAfterMs(refusal.headers, nowMs) : undefined;
  return {
    failure: { ...failure, status, ...(delay === undefined ? undefined : { retryAfterMs: delay }) },
    again,
  };
}

function statusFailure(refusal: Refusal, behavior: ModelBehavior): ModelFailure {
  const { status } = refusal;
  if (behavior.failures === "server") return statedFailure(refusal);
  if (status === 500) {
    const message = "We're currently experiencing high demand, which may cause temporary errors.";
    return { kind: "http_status", message, retryable: true };
  }
  if (behavior.failures === "2025") return statusFailure2025(refusal);
  if (status === 503 && isOverloaded(refusal.body)) return overloaded();
  if (status === 429) return tooOften(refusal, headerText(refusal.headers, "x-request-id"));
  // The body of a 400 describes the problem with the request: it is shown unchanged.
  const message = status === 400 && refusal.body !== "" ? refusal.body : unexpected(refusal);
  return { kind: status === 401 ? "auth" : "http_status", message, retryable: status >= 500 };
}

/** Creates a failure with the server's message; programs branch on its kind. */
function statedFailure(refusal: Refusal): ModelFailure {
  const kind = statedKind(refusal);
  const isFailing = kind === "http_status" && refusal.status === 500;
  const retryable = isFailing || kind === "retry_limit" || kind === "overloaded";
  const attempt = retryable ? refusal.attempt : undefined;
  const requestId = requestIdOf(refusal.headers);
  return { kind, message: refusalText({ ...refusal, requestId, attempt }), retryable };
}

function statedKind({ status, body }: Refusal): ModelFailure["kind"] {
  const code = refusalCode(body);
  if (code === "context_length_exceeded" || saysTooLong(status, body)) {
    return "context_length_exceeded";
  }
  if (code === "insufficient_quota") return "quota";
  if (status === 401 || status === 403 || code === "API_KEY_INVALID") return "auth";
  if (status === 503 && isOverloaded(body)) return "overloaded";
  if (code === "overloaded_error") return "overloaded"; // Anthropic's, with the status 529
  return status === 429 || status > 500 ? "retry_limit" : "http_status";
}

function statusFailure2025(refusal: Refusal): ModelFailure {
  const { status, statusLine, body } = refusal;
  if (status === 401) return { ...tooOften(refusal), kind: "auth", retryable: false };
  if (status === 429 || status >= 500) return tooOften(refusal);
  const message = `unexpected status ${statusLine}: ${body}`;
  return { kind: "http_status", message, retryable: false };
}

/** The request budget ended with this response; the stream budget may still retry. */
function tooOften({ statusLine }: Refusal, requestId?: string): ModelFailure {
  const suffix = requestId === undefined ? "" : `, request id: ${requestId}`;
  const message = `exceeded retry limit, last status: ${statusLine}${suffix}`;
  return { kind: "retry_limit", message, retryable: true };
}

function unexpected({ statusLine, body, url, headers }: Refusal): string {
  return unexpectedStatusText({
    statusLine,
    body,
    url,
    cfRay: headerText(headers, "cf-ray"),
    requestId: requestIdOf(headers),
  });
}

function requestIdOf(headers: AnswerHeaders): string | undefined {
  return headerText(headers, "x-request-id") ?? headerText(headers, "x-oai-request-id");
}

function usageFailure(
  { body, headers, planType }: Refusal,
  behavior: ModelBehavior,
  nowMs: number,
): ModelFailure | undefined {
  const refusal = readUsageRefusal(body);
  if (refusal === undefined) return undefined;
  const { failures } = behavior;
  const rateLimits = readRateLimits(headers, behavior.rateLimitFormat, nowMs);
  const common = { retryable: false, status: 429, rateLimits };
  if (refusal.reason === "usage_not_included") {
    return { ...common, kind: "usage_not_included", message: usageNotIncludedText(failures) };
  }
  const limit = {
    ...refusal.limit,
    planType: refusal.limit.planType ?? planType,
    limitName: rateLimits.limit_name ?? undefined,
    promo: headerText(headers, "x-codex-promo-message")?.trim() || undefined,
  };
  return { ...common, kind: "usage_limit", message: usageLimitText(limit, failures, nowMs) };
}

function isOverloaded(body: string): boolean {
  const error = parseRecord(body)?.error;
  const code = isRecord(error) ? asString(error.code) : undefined;
  return code === "server_is_overloaded" || code === "slow_down";
}

/** Parses `Retry-After`, in seconds or as a date. */
function retryAfterMs(headers: AnswerHeaders, nowMs: number): number | undefined {
  const text = headerText(headers, "retry-after")?.trim();
  if (!text) return undefined;
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs);
}
