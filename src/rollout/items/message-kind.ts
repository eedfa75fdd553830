import type { MessageItem, ResponseItem, UserMessageKind } from "../../protocol/types.js";

/** Whether the user wrote a text, or the engine put it in front of the conversation. */
export function messageKind(text: string): UserMessageKind {
  const trimmed = text.trim().toLowerCase();
  if (isWrapped(trimmed, "environment_context")) return "environment_context";
  return isWrapped(trimmed, "user_instructions") ? "user_instructions" : "plain";
}

/**
 * Whether an item is a message that the user really sent.
 *
 * The engine speaks to the model in messages of the same role: instructions, the environment,
 * skills, commands the user ran, marks of aborted turns. They open no turn of the user's.
 */
export function isUserMessage(item: ResponseItem): item is MessageItem & { role: "user" } {
  if (item.type !== "message" || item.role !== "user") return false;
  const [only] = item.content;
  if (item.content.length === 1 && only?.type === "input_text" && isInstruction(only.text)) {
    return false;
  }
  return !item.content.some((part) => part.type !== "input_image" && isSessionPrefix(part.text));
}

/** Whether a text is one that the engine puts into the conversation, by how it begins. */
function isSessionPrefix(text: string): boolean {
  return /^\s*<(?:environment_context|turn_aborted|user_shell_command)>/i.test(text);
}

/** Instructions count only as a whole message: a user may well quote them in a longer one. */
function isInstruction(text: string): boolean {
  return /^\s*(?:<user_instructions>|<skill[\s>]|# AGENTS\.md instructions for )/i.test(text);
}

function isWrapped(text: string, tag: string): boolean {
  return text.startsWith(`<${tag}>`) && text.endsWith(`</${tag}>`);
}
