import type { ModelBehavior } from "../compat/index.js";
import { errorText } from "../lib/error-text.js";
import type { ModelFailure } from "./types.js";

/** A response that broke off; asking again may help. */
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

/** The stream ended in good order, but the response was not complete. */
export function closedEarly(): ModelFailure {
  return brokenOff("stream_closed", "stream closed before response.completed");
}

/** Nothing came for longer than the provider's limit. */
export function idleTooLong(): ModelFailure {
  return brokenOff("idle_timeout", "idle timeout waiting for SSE");
}

/** The connection was lost in the middle of the answer. */
export function connectionLost(wording: ModelBehavior["failureTexts"]): ModelFailure {
  const error = "error decoding response body";
  const text = wording === "2025" ? error : `network error: ${error}`;
  return brokenOff("stream_closed", `Transport error: ${text}`);
}

/** No answer came at all: the server cannot be reached, or hung up at once. */
export function notReached(
  url: string,
  error: unknown,
  wording: ModelBehavior["failureTexts"],
): ModelFailure {
  const cause = errorText(error);
  const text = `error sending request for url (${url}): ${cause}`;
  if (wording === "2026") return brokenOff("connection", text);
  return { kind: "connection", message: text, retryable: true };
}

/** An event of the stream is larger than anything a model sends. */
export function eventTooLarge(limit: number): ModelFailure {
  return brokenOff("stream_closed", `an event of the stream is larger than ${limit} characters`);
}

/** The provider's address is none that a request can go to. */
export function notAUrl(providerId: string, url: string): ModelFailure {
  return {
    kind: "connection",
    message:
      `Model provider \`${providerId}\` cannot be reached at ${url}: not an http or https URL. ` +
      `Set base_url in [model_providers.${providerId}] of config.toml.`,
    retryable: false,
  };
}
