import { parseRecord } from "../../protocol/read/check.js";
import type { FunctionCallOutput } from "../../protocol/types.js";
import {
  type ConversationTurn,
  type ModelPart,
  readDataUrl,
  toInput,
  type UserPart,
} from "../lowered/conversation.js";

/** A message of the Messages API. */
export interface AnthropicMessage {
  role: "user" | "assistant";
  content: object[];
}

/** Converts a conversation; results of calls come first in their message, as the API requires. */
export function toAnthropicMessages(turns: readonly ConversationTurn[]): AnthropicMessage[] {
  const messages = turns.map((turn): AnthropicMessage => {
    if (turn.role === "model") {
      return { role: "assistant", content: turn.parts.flatMap(toOutputBlock) };
    }
    const results = turn.parts.filter((part) => part.type === "result");
    const others = turn.parts.filter((part) => part.type !== "result");
    return { role: "user", content: [...results, ...others].map(toInputBlock) };
  });
  return messages.filter(({ content }) => content.length > 0);
}

/** Thoughts go back while their turn lasts; the server verifies the signature. */
function toOutputBlock(part: ModelPart): object[] {
  if (part.type === "text") return [{ type: "text", text: part.text }];
  if (part.type === "call") {
    const { id, name } = part;
    return [{ type: "tool_use", id, name, input: parseRecord(part.arguments) ?? {} }];
  }
  if (!part.isOfTurn) return [];
  const { signature, redacted } = part.state;
  if (redacted !== undefined) return [{ type: "redacted_thinking", data: redacted }];
  return [{ type: "thinking", thinking: part.text, signature }];
}

function toInputBlock(part: UserPart): object {
  if (part.type === "text") return { type: "text", text: part.text };
  if (part.type === "image") return { type: "image", source: toSource(part.url) };
  return { type: "tool_result", tool_use_id: part.id, content: toResult(part.output) };
}

function toResult(output: FunctionCallOutput): string | object[] {
  return typeof output === "string" ? output : toInput(output).map(toInputBlock);
}

function toSource(url: string): object {
  const found = readDataUrl(url);
  if (found === undefined) return { type: "url", url };
  return { type: "base64", media_type: found.mediaType, data: found.data };
}
