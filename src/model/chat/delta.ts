import { asString } from "../../lib/text.js";
import { isRecord, type JsonRecord } from "../../protocol/read/check.js";
import type { ResponseItem, TokenUsage } from "../../protocol/types.js";
import { brokenOff } from "../failure.js";
import type { ModelFailure } from "../types.js";
import type { CallPart, CallParts } from "./call-parts.js";
import type { ReasoningField } from "./messages.js";

/** Content of one chunk. */
interface Delta {
  text: string;
  reasoning: string;
  reasoningField: ReasoningField | undefined;
  calls: CallPart[];
  /** Number of characters in the chunk. */
  size: number;
}

/** Parses the `delta` of a chunk, in the formats that different servers use. */
export function readDelta(value: unknown): Delta {
  const delta = isRecord(value) ? value : {};
  const { text, thinking } = readContent(delta.content);
  const field = reasoningFields.find((name) => reasoningOf(delta[name]) !== "");
  const reasoning = field === undefined ? thinking : reasoningOf(delta[field]);
  const whole = text + (asString(delta.refusal) ?? "");
  const calls = readCalls(delta.tool_calls);
  const size = whole.length + reasoning.length + calls.reduce((sum, call) => sum + sizeOf(call), 0);
  return { text: whole, reasoning, reasoningField: field, calls, size };
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
    };
  });
}

function sizeOf({ id = "", name = "", arguments: args }: CallPart): number {
  return id.length + name.length + args.length;
}

/** Converts the usage of a chat completion to that of the Responses API. */
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

/** Returns the item of a message; without text it has just started. */
export function toMessageItem({ id, text }: { id: string; text: string }): ResponseItem {
  const content = text === "" ? [] : [{ type: "output_text" as const, text }];
  return { type: "message", id, role: "assistant", content };
}

/** Returns the item of reasoning; without text it has just started. */
export function toReasoningItem({ id, text }: { id: string; text: string }): ResponseItem {
  const content = text === "" ? null : [{ type: "reasoning_text" as const, text }];
  return { type: "reasoning", id, summary: [], content, encrypted_content: null };
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
