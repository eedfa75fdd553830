import { asString } from "../../lib/text.js";
import { isRecord, type JsonRecord } from "../../protocol/read/check.js";
import type { TokenUsage } from "../../protocol/types.js";
import { brokenOff } from "../failure.js";
import type { CallPart, CallParts } from "../lowered/call-parts.js";
import { numberIn } from "../lowered/usage.js";
import type { ModelFailure } from "../types.js";
import type { ReasoningField } from "./messages.js";

/** Content of one chunk. */
interface Delta {
  text: string;
  reasoning: string;
  reasoningField: ReasoningField | undefined;
  /** Pieces of reasoning that go back to the server. */
  details: JsonRecord[];
  calls: CallPart[];
}

/** Parses the `delta` of a chunk, in the formats that different servers use. */
export function readDelta(value: unknown): Delta {
  const delta = isRecord(value) ? value : {};
  const { text, thinking } = readContent(delta.content);
  const field = reasoningFields.find((name) => reasoningOf(delta[name]) !== "");
  const reasoning = field === undefined ? thinking : reasoningOf(delta[field]);
  return {
    text: text + (asString(delta.refusal) ?? ""),
    reasoning,
    reasoningField: field,
    details: Array.isArray(delta.reasoning_details) ? delta.reasoning_details.filter(isRecord) : [],
    calls: readCalls(delta.tool_calls),
  };
}

/** Some servers send both fields with the same text; the first one wins. */
const reasoningFields: readonly ReasoningField[] = ["reasoning", "reasoning_content"];

function reasoningOf(value: unknown): string {
  if (!isRecord(value)) return asString(value) ?? "";
  return asString(value.text) || asString(value.content) || "";
}

/** Usually text; some servers send parts, including reasoning. */
function readContent(content: unknown): { text: string; thinking: string } {
  if (!Array.isArray(content)) return { text: asString(content) ?? "", thinking: "" };
  const parts = content.filter(isRecord);
  const thoughts = parts.filter((part) => part.type === "thinking");
  return {
    text: textsOf(parts.filter((part) => part.type === "text")),
    thinking: thoughts
      .map(({ thinking }) =>
        Array.isArray(thinking) ? textsOf(thinking.filter(isRecord)) : (asString(thinking) ?? ""),
      )
      .join(""),
  };
}

function textsOf(parts: readonly JsonRecord[]): string {
  return parts.map((part) => asString(part.text) ?? "").join("");
}

function readCalls(value: unknown): CallPart[] {
  const calls = Array.isArray(value) ? value.filter(isRecord) : [];
  return calls.map((call) => {
    const { name, arguments: args } = isRecord(call.function) ? call.function : {};
    return {
      index: typeof call.index === "number" ? call.index : undefined,
      id: asString(call.id) || undefined,
      name: asString(name) || undefined,
      // Some servers send the arguments as an object instead of text.
      arguments: isRecord(args) ? JSON.stringify(args) : (asString(args) ?? ""),
      ...(isRecord(call.extra_content) ? { extra: call.extra_content } : undefined),
    };
  });
}

/** Converts the usage of a chat completion to that of the Responses API. */
export function readChatUsage(usage: unknown): TokenUsage | undefined {
  if (!isRecord(usage)) return undefined;
  const input = numberIn(usage, "prompt_tokens");
  const output = numberIn(usage, "completion_tokens");
  return {
    input_tokens: input,
    cached_input_tokens: numberIn(usage.prompt_tokens_details, "cached_tokens"),
    output_tokens: output,
    reasoning_output_tokens: numberIn(usage.completion_tokens_details, "reasoning_tokens"),
    total_tokens: numberIn(usage, "total_tokens") || input + output,
  };
}

/** Returns the failure that the reason for the end of a response means, if it is one. */
export function failureOfEnd(reason: string, calls: CallParts): ModelFailure | undefined {
  if (reason === "content_filter") {
    const message = "The model's server blocked the answer (content_filter).";
    return { kind: "response_failed", message, retryable: false };
  }
  // A truncated message can be used, a truncated call must not run.
  if (reason !== "length" || calls.areWhole()) return undefined;
  return brokenOff("response_failed", `Incomplete response returned, reason: ${reason}`);
}
