import { isRecord, type JsonRecord } from "../../protocol/read/record.js";
import type { TokenUsage } from "../../protocol/types.js";

/** How many tokens a chat completion took, in the words of the Responses API. */
export function readChatUsage(usage: unknown): TokenUsage | undefined {
  if (!isRecord(usage)) return undefined;
  const input = numberOf(usage, "prompt_tokens");
  const output = numberOf(usage, "completion_tokens");
  return {
    input_tokens: input,
    cached_input_tokens: numberOf(usage.prompt_tokens_details, "cached_tokens"),
    output_tokens: output,
    reasoning_output_tokens: numberOf(usage.completion_tokens_details, "reasoning_tokens"),
    total_tokens: numberOf(usage, "total_tokens") || input + output,
  };
}

function numberOf(value: unknown, key: string): number {
  const number = isRecord(value) ? (value as JsonRecord)[key] : undefined;
  return typeof number === "number" && Number.isFinite(number) ? number : 0;
}
