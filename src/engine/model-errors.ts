import type { ModelFailure } from "../model/index.js";
import type { StreamErrorEvent } from "../protocol/types.js";
import type { Task } from "./task.js";
import type { TokenMeter } from "./tokens.js";
import type { TurnContext } from "./turn-context.js";

/** Reason why a task fails: an error of the model's server, or of the engine. */
export type TaskFailure = Pick<ModelFailure, "message"> &
  Partial<Pick<ModelFailure, "kind" | "status">> & { isOverBudget?: boolean };

/** Returns the status of the goal after a failure. */
export function goalStatus({ kind, isOverBudget }: Omit<TaskFailure, "message">) {
  if (isOverBudget) return "budgetLimited";
  return kind === "usage_limit" ? "usageLimited" : "blocked";
}

/** Returns the `codex_error_info` of a failure; clients branch on it. */
export function errorInfo({ kind, status, isOverBudget }: Omit<TaskFailure, "message">): unknown {
  if (isOverBudget) return "budget_exceeded";
  const http_status_code = status ?? null;
  switch (kind) {
    case undefined:
      return "other";
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

/** The same for a request that is retried; a 500 has no status code there. */
function retryInfo({ status }: Pick<ModelFailure, "status">): unknown {
  const http_status_code = status === 500 ? null : (status ?? null);
  return { response_stream_disconnected: { http_status_code } };
}

/** Returns the event for a retry of a broken stream. */
export function retryNotice(
  task: Task,
  failure: ModelFailure,
  { retries, delay }: { retries: number; delay: number },
): StreamErrorEvent {
  const { era, provider } = task.session.parts;
  const progress = `${retries}/${provider.stream_max_retries}`;
  if (era.engine.failedRequest === "repeat") {
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

/** Returns the event for a refused request that is retried after `delay`; nothing if the delay is short. */
export function waitNotice(failure: ModelFailure, delay: number): StreamErrorEvent | undefined {
  if (delay < noticeableMs) return undefined;
  const { status } = failure;
  const reason = status === undefined ? failure.message : `the model server answered ${status}`;
  return {
    type: "stream_error",
    message: `stream error: ${reason}; retrying in ${delayText(delay)}…`,
  };
}

/** Shorter delays are not reported. */
const noticeableMs = 1_000;

/** Short waits in milliseconds, long ones in seconds: `203ms`, `1.898s`. */
function delayText(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)}ms` : `${Number((ms / 1000).toFixed(3))}s`;
}

/** Emits the rate limits or the full window that a refusal implies, in eras that do. */
export function reportRefusal(
  task: Task,
  { tokens, context }: { tokens: TokenMeter; context: TurnContext },
  failure: ModelFailure,
): void {
  const { session } = task;
  if (session.parts.era.engine.failedRequest === "continue") return;
  const window = session.windowOf(context);
  if (failure.kind === "context_length_exceeded" && window !== undefined) tokens.fill(window);
  else if (failure.kind === "usage_limit") tokens.setRateLimits(failure.rateLimits);
  else return;
  task.emit(tokens.event(window));
}
