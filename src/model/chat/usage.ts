import type { TokenUsage } from "../../protocol/types.js";
import { isJsonObject, type JsonObject } from "../json.js";

/** How many tokens a chat completion took, in the words of the Responses API. */
export function readChatUsage(usage: unknown): TokenUsage | undefined {
  if (!isJsonObject(usage)) return undefined;
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
  const number = isJsonObject(value) ? (value as JsonObject)[key] : undefined;
  return typeof number === "number" && Number.isFinite(number) ? number : 0;
}
