import type { Era } from "../compat/index.js";
import { modelFamily } from "../model/index.js";
import type { ModelFailure } from "../model/types.js";
import type { StreamErrorEvent } from "../protocol/types.js";
import type { Task } from "./task.js";

/** What went wrong with a request to the model, in the words that programs branch on. */
export function errorInfo(failure: Pick<ModelFailure, "kind" | "status">): unknown {
  const { kind, status } = failure;
  const http_status_code = status ?? null;
  switch (kind) {
    case "context_length_exceeded":
      return "context_window_exceeded";
    case "usage_limit":
    case "usage_not_included":
    case "quota":
      return "usage_limit_exceeded";
    case "overloaded":
      return "server_overloaded";
    case "auth":
      return "unauthorized";
    case "cyber_policy":
      return "cyber_policy";
    case "misalignment_policy":
      return "misalignment_policy_violation";
    case "retry_limit":
      return { response_too_many_failed_attempts: { http_status_code } };
    case "connection":
      return { http_connection_failed: { http_status_code } };
    default:
      return status === 500 ? "internal_server_error" : "other";
  }
}

/** The same for a request that is made again; a 500 has words of its own instead of its number. */
function retryInfo({ status }: Pick<ModelFailure, "status">): unknown {
  const http_status_code = status === 500 ? null : (status ?? null);
  return { response_stream_disconnected: { http_status_code } };
}

/** Tells the user that a broken stream is asked for again. */
export function retryNotice(
  task: Task,
  failure: ModelFailure,
  { retries, delay }: { retries: number; delay: number },
): StreamErrorEvent {
  const { era, provider } = task.session.parts;
  const progress = `${retries}/${provider.stream_max_retries}`;
  if (era.engine.retryNotice === "short") {
    const message = `Reconnecting... ${progress}`;
    return {
      type: "stream_error",
      message,
      codex_error_info: retryInfo(failure),
      additional_details: failure.message,
    };
  }
  const message = `stream error: ${failure.message}; retrying ${progress} in ${delayText(delay)}…`;
  return { type: "stream_error", message };
}

/** Tells the user why nothing comes while a refused request waits to be made again, if it takes long. */
export function waitNotice(failure: ModelFailure, delay: number): StreamErrorEvent | undefined {
  if (delay < noticeableMs) return undefined;
  const { status } = failure;
  const reason = status === undefined ? failure.message : `the model server answered ${status}`;
  return {
    type: "stream_error",
    message: `stream error: ${reason}; retrying in ${delayText(delay)}…`,
  };
}

/** Shorter waits are over before anyone wonders. */
const noticeableMs = 1_000;

/** Short waits in milliseconds, long ones in seconds: `203ms`, `1.898s`. */
function delayText(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)}ms` : `${Number((ms / 1000).toFixed(3))}s`;
}

/** What the user is told of a model of which nothing is known; nothing for the others. */
export function unknownModelWarning(model: string, { model: behavior }: Era): string | undefined {
  if (modelFamily(model, behavior.catalogue).known) return undefined;
  return `Model metadata for \`${model}\` not found. Defaulting to fallback metadata; this can degrade performance and cause issues.`;
}

/** Tells it in a turn, in the versions that do. */
export function warnOfUnknownModel(task: Task, { model } = task.session.context): void {
  const { era } = task.session.parts;
  if (era.engine.unknownModelWarning !== "in the turn") return;
  const message = unknownModelWarning(model, era);
  if (message !== undefined) task.emit({ type: "warning", message });
}
