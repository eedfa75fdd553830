import { isRecord, type JsonRecord } from "../../protocol/read/record.js";
import { textOf } from "../text-of.js";
import type { CallPart } from "./call-parts.js";
import type { ReasoningField } from "./messages.js";

/** What one chunk adds to the answer. */
export interface Delta {
  text: string;
  reasoning: string;
  reasoningField: ReasoningField | undefined;
  calls: CallPart[];
  /** How many characters it brings in all. */
  size: number;
}

/** Reads the `delta` of a chunk, in the shapes that different servers give it. */
export function readDelta(value: unknown): Delta {
  const delta = isRecord(value) ? value : {};
  const { text, thinking } = readContent(delta.content);
  const field = reasoningFields.find((name) => reasoningOf(delta[name]) !== "");
  const reasoning = field === undefined ? thinking : reasoningOf(delta[field]);
  const said = text + (textOf(delta.refusal) ?? "");
  const calls = readCalls(delta.tool_calls);
  const size = said.length + reasoning.length + calls.reduce((sum, call) => sum + sizeOf(call), 0);
  return { text: said, reasoning, reasoningField: field, calls, size };
}

/** Some servers send both with the same text; the first counts. */
const reasoningFields: readonly ReasoningField[] = ["reasoning", "reasoning_content"];

function reasoningOf(value: unknown): string {
  if (!isRecord(value)) return textOf(value) ?? "";
  return textOf(value.text) || textOf(value.content) || "";
}

/** Mostly text; some servers send parts, among them what the model thinks. */
function readContent(content: unknown): { text: string; thinking: string } {
  if (!Array.isArray(content)) return { text: textOf(content) ?? "", thinking: "" };
  const parts = content.filter(isRecord);
  const thoughts = parts.filter((part) => part.type === "thinking");
  return {
    text: textsOf(parts.filter((part) => part.type === "text")),
    thinking: thoughts
      .map(({ thinking }) =>
        Array.isArray(thinking) ? textsOf(thinking.filter(isRecord)) : (textOf(thinking) ?? ""),
      )
      .join(""),
  };
}

function textsOf(parts: readonly JsonRecord[]): string {
  return parts.map((part) => textOf(part.text) ?? "").join("");
}

function readCalls(value: unknown): CallPart[] {
  const calls = Array.isArray(value) ? value.filter(isRecord) : [];
  return calls.map((call) => {
    const { name, arguments: args } = isRecord(call.function) ? call.function : {};
    return {
      index: typeof call.index === "number" ? call.index : undefined,
      id: textOf(call.id) || undefined,
      name: textOf(name) || undefined,
      // Some servers send the arguments as the object that their text would be.
      arguments: isRecord(args) ? JSON.stringify(args) : (textOf(args) ?? ""),
    };
  });
}

function sizeOf({ id = "", name = "", arguments: args }: CallPart): number {
  return id.length + name.length + args.length;
}
