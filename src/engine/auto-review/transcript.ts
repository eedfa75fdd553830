import { splitText } from "../../lib/text.js";
import type { ResponseItem } from "../../protocol/types.js";

/** Bytes of one entry, and of all entries of the user and of others. */
const limits = { entry: 4_000, user: 24_000, others: 32_000 };

/**
 * Returns a conversation as evidence for the reviewer: one JSON value on each line, so that no text
 * can pose as another entry.
 *
 * The newest entries are kept. The user's have their own limit: a long output cannot displace them.
 */
export function toTranscript(items: readonly ResponseItem[]): string {
  const rest = { user: limits.user, others: limits.others };
  const lines: string[] = [];
  for (const item of items.toReversed()) {
    const entry = toEntry(item);
    if (entry === undefined) continue;
    const owner = "user" in entry ? "user" : "others";
    const line = JSON.stringify(entry);
    rest[owner] -= line.length;
    if (rest[owner] >= 0) lines.push(line);
  }
  return lines.reverse().join("\n");
}

function toEntry(item: ResponseItem): object | undefined {
  switch (item.type) {
    case "message": {
      if (item.role !== "user" && item.role !== "assistant") return undefined;
      const parts = item.content.map((part) => ("text" in part ? part.text : "[image]"));
      const text = shortened(parts.join("\n"));
      return item.role === "user" ? { user: text } : { agent: text };
    }
    case "agent_message": {
      const texts = item.content.map((part) =>
        part.type === "input_text" ? part.text : part.encrypted_content,
      );
      return { message_of_agent: item.author, text: shortened(texts.join("")) };
    }
    case "function_call":
      return { call: item.name, input: shortened(item.arguments) };
    case "custom_tool_call":
      return { call: item.name, input: shortened(item.input) };
    case "local_shell_call":
      return { call: "local_shell", input: shortened(JSON.stringify(item.action)) };
    case "function_call_output":
    case "custom_tool_call_output": {
      const { output } = item;
      return { output: shortened(typeof output === "string" ? output : JSON.stringify(output)) };
    }
    default:
      return undefined;
  }
}

function shortened(text: string): string {
  if (text.length <= limits.entry) return text;
  const { head, tail } = splitText(text, limits.entry / 2, limits.entry / 2);
  return `${head}…${tail}`;
}
