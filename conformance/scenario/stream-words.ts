import type { ModelFailure, StreamItem } from "../../src/model/types.js";

/** A piece of a response stream, or its failure, in the words of the suite. */
export interface StreamWords {
  event?: string;
  error?: string;
  optional?: boolean;
  [field: string]: unknown;
}

/** Formats a stream item in the way of a case that expects `wanted`. */
export function toStreamWords(item: StreamItem, wanted: readonly StreamWords[]): StreamWords {
  switch (item.type) {
    case "text_delta":
      return { event: "output_text_delta", delta: item.delta };
    case "reasoning_delta":
      return { event: "reasoning_summary_delta", delta: item.delta, summary_index: item.index };
    case "raw_reasoning_delta":
      return { event: "reasoning_content_delta", delta: item.delta, content_index: item.index };
    case "reasoning_part":
      return { event: "reasoning_summary_part_added", summary_index: item.index };
    case "item_added":
      return {
        event: addedName(item),
        item: item.item,
        call_id: "id" in item.item && item.item.id,
      };
    case "item_done":
      return { event: "output_item_done", item: item.item };
    case "completed":
      return {
        event: "completed",
        response_id: item.responseId,
        token_usage: item.usage ?? null,
      };
    case "failed":
      return failureWords(item.failure, wanted);
    default:
      return { event: item.type };
  }
}

function addedName({ item }: Extract<StreamItem, { type: "item_added" }>): string {
  return item.type === "web_search_call" ? "web_search_call_begin" : "output_item_added";
}

function failureWords(failure: ModelFailure, wanted: readonly StreamWords[]): StreamWords {
  const names = failureNames[failure.kind];
  const wish = wanted.find(({ error }) => error !== undefined)?.error;
  return {
    error: wish !== undefined && names.includes(wish) ? wish : names[0],
    message: failure.message.replace("stream disconnected before completion: ", ""),
    retryable: failure.retryable,
    ...(failure.retryAfterMs === undefined ? {} : { retry_delay_ms: failure.retryAfterMs }),
  } as StreamWords;
}

/** The first versions reported added items only for web searches. */
export function isWanted(item: StreamItem, wanted: readonly StreamWords[]): boolean {
  if (item.type !== "item_added") return true;
  return wanted.some(({ event }) => event === addedName(item));
}

/** Our kinds of failure in the words of the suite. */
export const failureNames: Record<ModelFailure["kind"], readonly string[]> = {
  stream_closed: ["stream"],
  idle_timeout: ["stream"],
  response_failed: ["retryable", "stream"],
  context_length_exceeded: ["context_window_exceeded"],
  quota: ["quota_exceeded"],
  usage_limit: ["usage_limit_reached"],
  usage_not_included: ["usage_not_included"],
  overloaded: ["server_overloaded"],
  cyber_policy: ["cyber_policy"],
  misalignment_policy: ["misalignment_policy_violation"],
  invalid_prompt: ["invalid_request"],
  http_status: ["unexpected_status", "internal_server_error"],
  retry_limit: ["retry_limit"],
  connection: ["connection"],
  auth: ["auth", "retry_limit"],
};
