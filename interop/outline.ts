import { answered, prompts } from "./conversation.js";

/**
 * Outline of the conversation in a request, one short line per item.
 *
 * Programs differ in the framing (leading instructions and environment, a summary with or without the
 * user's messages, output with or without exit code and time); the outline does not.
 */
export function outline(request: unknown): string[] {
  const { input } = request as { input: Item[] };
  return input.flatMap(toLines);
}

interface Item {
  type: string;
  role?: string;
  content?: { text?: string }[];
  call_id?: string;
  name?: string;
  arguments?: string;
  output?: unknown;
}

function toLines(item: Item): string[] {
  switch (item.type) {
    case "message":
      return messageLines(item.role ?? "", (item.content ?? []).map(({ text }) => text).join(""));
    case "function_call":
      return [`${item.call_id}: ${essence(item.arguments)}`];
    case "custom_tool_call":
      return [`${item.call_id}: ${item.name}`];
    case "function_call_output":
    case "custom_tool_call_output":
      return [`${item.call_id} → ${essence(item.output)}`];
    default:
      return [item.type];
  }
}

function messageLines(role: string, text: string): string[] {
  if (role === "developer" || isSurroundings(text)) return [];
  if (text.startsWith("<turn_aborted>")) return ["marked as interrupted"];
  if (role !== "user" || !text.includes(answered.summary)) return [`${role}: ${text}`];
  const inside = Object.values(prompts).filter((one) => text.includes(one));
  return [...inside.map((one) => `user: ${one}`), "summary"];
}

function isSurroundings(text: string): boolean {
  return /^(<(environment_context|user_instructions|permissions instructions)|# AGENTS\.md)/.test(
    text,
  );
}

/** The one thing of a call or an output that the conversation is about, or all of it. */
function essence(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return essentials.find((one) => text.includes(one)) ?? text;
}

const essentials = [
  "echo 3 boats",
  "3 boats",
  "cat tide.txt",
  "high water at noon",
  "Success. Updated the following files:",
];
