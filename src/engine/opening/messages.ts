import type { ResponseItem } from "../../protocol/types.js";

/** A message with one text, as the user's side of the conversation. */
export function userMessage(text: string): ResponseItem {
  return { type: "message", role: "user", content: [{ type: "input_text", text }] };
}

/** A message of ours to the model, in one part or several. */
export function developerMessage(...texts: string[]): ResponseItem {
  const content = texts.map((text) => ({ type: "input_text" as const, text }));
  return { type: "message", role: "developer", content };
}
