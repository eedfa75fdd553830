import type { ModelFailure } from "../model/types.js";

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
export function retryInfo({ status }: Pick<ModelFailure, "status">): unknown {
  const http_status_code = status === 500 ? null : (status ?? null);
  return { response_stream_disconnected: { http_status_code } };
}
