import { isRecord, parseRecord } from "../../protocol/read/check.js";
import type { FunctionCallOutput } from "../../protocol/types.js";
import {
  type ConversationTurn,
  type ModelPart,
  readDataUrl,
  toInput,
  type UserPart,
} from "../lowered/conversation.js";

/** One side of a conversation in the Gemini API. */
export interface GeminiContent {
  role: "user" | "model";
  parts: object[];
}

/** Converts a conversation. Signatures go back with the parts they came with; thoughts do not. */
export function toContents(turns: readonly ConversationTurn[]): GeminiContent[] {
  const contents = turns.map(
    (turn): GeminiContent =>
      turn.role === "user"
        ? { role: "user", parts: turn.parts.flatMap(toInputParts) }
        : { role: "model", parts: toOutputParts(turn.parts) },
  );
  return contents.filter(({ parts }) => parts.length > 0);
}

function toOutputParts(parts: readonly ModelPart[]): object[] {
  const signatures = new Map<string, unknown>();
  let ofText: unknown;
  return parts.flatMap((part): object[] => {
    if (part.type === "reasoning") {
      const { calls, text } = part.state;
      if (isRecord(calls))
        for (const [id, value] of Object.entries(calls)) signatures.set(id, value);
      ofText = text;
      return [];
    }
    if (part.type === "text") {
      const signature = ofText;
      ofText = undefined;
      return [{ text: part.text, ...signed(signature) }];
    }
    const functionCall = { name: part.name, args: parseRecord(part.arguments) ?? {} };
    return [{ functionCall, ...signed(signatures.get(part.id)) }];
  });
}

function signed(thoughtSignature: unknown): object {
  return typeof thoughtSignature === "string" ? { thoughtSignature } : {};
}

/** Pictures of a result follow it: a result is JSON. */
function toInputParts(part: UserPart): object[] {
  if (part.type === "text") return [{ text: part.text }];
  if (part.type === "image") return [toImage(part.url)];
  const { name, output } = part;
  const functionResponse = { name, response: { output: textOf(output) } };
  const pictures = typeof output === "string" ? [] : toInput(output);
  return [
    { functionResponse },
    ...pictures.flatMap((picture) => (picture.type === "image" ? [toImage(picture.url)] : [])),
  ];
}

function textOf(output: FunctionCallOutput): string {
  if (typeof output === "string") return output;
  return output.map((part) => (part.type === "input_image" ? "" : part.text)).join("");
}

function toImage(url: string): object {
  const found = readDataUrl(url);
  if (found === undefined) return { fileData: { fileUri: url } };
  return { inlineData: { mimeType: found.mediaType, data: found.data } };
}
