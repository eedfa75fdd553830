import type { ModelBehavior } from "../compat/index.js";
import { errorText } from "../lib/errors.js";
import { asString } from "../lib/text.js";
import type { CodexError } from "../protocol/error.js";
import { isRecord, type JsonRecord } from "../protocol/read/check.js";
import type { ModelFailure } from "./types.js";
import { usageNotIncludedText } from "./usage-limit.js";

/** Creates the failure for an interrupted response; retryable. */
export function brokenOff(
  kind: ModelFailure["kind"],
  reason: string,
  retryAfterMs?: number,
): ModelFailure {
  return {
    kind,
    message: `stream disconnected before completion: ${reason}`,
    retryable: true,
    ...(retryAfterMs === undefined ? undefined : { retryAfterMs }),
  };
}

/** Failure: the stream ended regularly, but the response was incomplete. */
export function closedEarly(): ModelFailure {
  return brokenOff("stream_closed", "stream closed before response.completed");
}

/** Failure: the model stopped before the end. A retry would pay for the same answer and stop there again. */
export function incompleteResponse(reason: string): ModelFailure {
  return final("response_failed", `Incomplete response returned, reason: ${reason}`);
}

/** Failure: no data for longer than the provider's limit. */
export function idleTooLong(): ModelFailure {
  return brokenOff("idle_timeout", "idle timeout waiting for SSE");
}

/** Failure: the connection was lost during the response. */
export function connectionLost(wording: ModelBehavior["failures"]): ModelFailure {
  const error = "error decoding response body";
  const text = wording === "2026" ? `network error: ${error}` : error;
  return brokenOff("stream_closed", `Transport error: ${text}`);
}

/** Failure: no response; the server cannot be reached, or closed the connection. */
export function notReached(
  url: string,
  error: unknown,
  wording: ModelBehavior["failures"],
): ModelFailure {
  const cause = errorText(error);
  const text = `error sending request for url (${url}): ${cause}`;
  if (wording === "2026") return brokenOff("connection", text);
  return { kind: "connection", message: text, retryable: true };
}

/** Failure: the transport refused the request for a reason of its own; a retry cannot help. */
export function notAsked({ message }: CodexError): ModelFailure {
  return { kind: "invalid_prompt", message, retryable: false };
}

/** Failure: an event of the stream is larger than any real one. */
export function eventTooLarge(limit: number): ModelFailure {
  return brokenOff("stream_closed", `an event of the stream is larger than ${limit} characters`);
}

/** Most tool calls of one response; no model makes as many. */
export const mostCalls = 1_000;

/** Failure: a response makes more calls than any real one. */
export function tooManyCalls(): ModelFailure {
  return brokenOff("response_failed", `the response calls more than ${mostCalls} tools`);
}

/** Failure: the response is longer than any real one. */
export function streamTooLong(limit: number): ModelFailure {
  return brokenOff("stream_closed", `the response is longer than ${limit} characters`);
}

/** Failure: the server answered with something else than events, such as a page. */
export function notAStream(contentType: string): ModelFailure {
  const reason =
    `the server answered with ${contentType} instead of an event stream ` +
    "(check base_url of the model provider, and whether a proxy answers in its place)";
  return brokenOff("stream_closed", reason);
}

/** Failure: the address of the provider is not a valid URL. */
export function notAUrl(providerId: string, url: string): ModelFailure {
  return {
    kind: "connection",
    message:
      `Model provider \`${providerId}\` cannot be reached at ${url}: not an http or https URL. ` +
      `Set base_url in [model_providers.${providerId}] of config.toml.`,
    retryable: false,
  };
}

/** Maps the `error` object of a failed response to a failure. */
export function responseFailure(error: unknown, behavior: ModelBehavior): ModelFailure {
  if (!isRecord(error)) return brokenOff("response_failed", "response.failed event received");
  const code = asString(error.code) ?? "";
  const message = asString(error.message);
  const final = behavior.failures === "2025" ? undefined : finalFailure(code, message, behavior);
  if (final !== undefined) return final;
  const failure = brokenOff("response_failed", message ?? "", delayInText(error));
  // 0.166 puts its own words before those of the server.
  const isNamed = behavior.failures === "2026" && behavior.streamFailures === "2026-11";
  if (!isNamed || !rateLimitCodes.has(code)) return failure;
  return { ...failure, message: `rate limit exceeded: ${message}` };
}

const rateLimitCodes: ReadonlySet<string> = new Set(["rate_limit_exceeded", "slow_down"]);

/** Parses a delay from the error text, such as `try again in 1.898s`. */
function delayInText({ code, message }: JsonRecord): number | undefined {
  if (code !== "rate_limit_exceeded" || typeof message !== "string") return undefined;
  const match = /try again in\s*(\d+(?:\.\d+)?)\s*(ms|s)/i.exec(message);
  if (match === null) return undefined;
  const value = Number(match[1]);
  return match[2]?.toLowerCase() === "ms" ? Math.trunc(value) : Math.round(value * 1000);
}

/** Returns the failure for errors that a retry cannot fix; `undefined` for others. */
function finalFailure(
  code: string,
  message: string | undefined,
  behavior: ModelBehavior,
): ModelFailure | undefined {
  switch (code) {
    case "context_length_exceeded":
      return final(
        "context_length_exceeded",
        "Codex ran out of room in the model's context window. Start a new thread or clear earlier history before retrying.",
      );
    case "insufficient_quota":
      return final("quota", "Quota exceeded. Check your plan and billing details.");
    case "usage_not_included":
      return final("usage_not_included", usageNotIncludedText(behavior.failures));
    case "invalid_prompt":
    case "bio_policy":
      return final("invalid_prompt", message ?? "Invalid request.");
    case "cyber_policy":
      return final(
        "cyber_policy",
        nonBlank(message) ?? "This request has been flagged for possible cybersecurity risk.",
      );
    case "misalignment_policy_violation":
      return final(
        "misalignment_policy",
        nonBlank(message) ?? "This request was blocked due to a misalignment policy violation.",
      );
    case "server_is_overloaded":
      return overloaded();
    case "slow_down":
      return behavior.streamFailures === "2026-02" ? overloaded() : undefined;
    default:
      return undefined;
  }
}

/** Failure: the server has no capacity for this model. */
export function overloaded(): ModelFailure {
  return final("overloaded", "Selected model is at capacity. Please try a different model.");
}

function final(kind: ModelFailure["kind"], message: string): ModelFailure {
  return { kind, message, retryable: false };
}

function nonBlank(message: string | undefined): string | undefined {
  return message?.trim() ? message : undefined;
}
