import type { ModelBehavior } from "../compat/index.js";
import { isRecord, type JsonRecord } from "../protocol/read/record.js";
import { brokenOff } from "./failure.js";
import { textOf } from "./text-of.js";
import type { ModelFailure } from "./types.js";
import { usageNotIncludedText } from "./usage-limit.js";

/** Why the model gave up on a response, by the `error` object it sent. */
export function responseFailure(error: unknown, dialect: ModelBehavior): ModelFailure {
  if (!isRecord(error)) return brokenOff("response_failed", "response.failed event received");
  const code = textOf(error.code) ?? "";
  const message = textOf(error.message);
  const final = dialect.finalFailureCodes ? finalFailure(code, message, dialect) : undefined;
  return final ?? brokenOff("response_failed", message ?? "", delayInText(error));
}

/** What the model asks to wait when it says so in words, as in `try again in 1.898s`. */
function delayInText({ code, message }: JsonRecord): number | undefined {
  if (code !== "rate_limit_exceeded" || typeof message !== "string") return undefined;
  const match = /try again in\s*(\d+(?:\.\d+)?)\s*(ms|s)/i.exec(message);
  if (match === null) return undefined;
  const value = Number(match[1]);
  return match[2]?.toLowerCase() === "ms" ? Math.trunc(value) : Math.round(value * 1000);
}

/** Failures that asking again cannot mend; nothing for all others. */
function finalFailure(
  code: string,
  message: string | undefined,
  dialect: ModelBehavior,
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
      return final("usage_not_included", usageNotIncludedText(dialect.failureTexts));
    case "invalid_prompt":
    case "bio_policy":
      return final("invalid_prompt", message ?? "Invalid request.");
    case "cyber_policy":
      return final(
        "cyber_policy",
        said(message) ?? "This request has been flagged for possible cybersecurity risk.",
      );
    case "misalignment_policy_violation":
      return final(
        "misalignment_policy",
        said(message) ?? "This request was blocked due to a misalignment policy violation.",
      );
    case "server_is_overloaded":
    case "slow_down":
      return overloaded();
    default:
      return undefined;
  }
}

/** The server has no room for this model. */
export function overloaded(): ModelFailure {
  return final("overloaded", "Selected model is at capacity. Please try a different model.");
}

function final(kind: ModelFailure["kind"], message: string): ModelFailure {
  return { kind, message, retryable: false };
}

function said(message: string | undefined): string | undefined {
  return message?.trim() ? message : undefined;
}
