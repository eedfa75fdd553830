import type { ResponseItem, RolloutLine } from "../../../protocol/types.js";
import { contentText, isUserMessage } from "../../../rollout/index.js";
import { joinWords, readShellScript } from "../../../shell/index.js";

/** Renders a recorded line as Markdown; empty for lines that are not for people. */
export function toMarkdown(line: RolloutLine): string {
  switch (line.type) {
    case "session_meta": {
      const { id, timestamp, cwd } = line.payload;
      return `# Session ${id}\n\nBegan ${timestamp} in \`${cwd}\`.\n\n`;
    }
    case "response_item":
      return itemText(line.payload);
    case "compacted":
      return "_The conversation was summarized here._\n\n";
    case "event_msg": {
      const msg = line.payload;
      if (msg.type === "thread_rolled_back") {
        return `_The last ${msg.num_turns} turns were taken back._\n\n`;
      }
      return msg.type === "error" ? `_Error: ${msg.message}_\n\n` : "";
    }
    default:
      return "";
  }
}

function itemText(item: ResponseItem): string {
  switch (item.type) {
    case "message":
      return messageText(item);
    case "reasoning": {
      const text = item.summary.map((part) => part.text).join("\n\n");
      return text === "" ? "" : `${text.replaceAll(/^/gm, "> ")}\n\n`;
    }
    case "local_shell_call":
      return fenced("sh", `$ ${joinWords(item.action.command)}`);
    case "function_call":
      return callText(item.name, item.arguments);
    case "custom_tool_call":
      return `**${item.name}**\n\n${fenced("", item.input)}`;
    case "function_call_output":
    case "custom_tool_call_output":
      return fenced("", outputText(item.output));
    case "web_search_call":
      return item.action?.type === "search" ? `_Searched the web: ${item.action.query}_\n\n` : "";
    case "image_generation_call":
      return `_(picture${item.revised_prompt ? `: ${item.revised_prompt}` : ""})_\n\n`;
    default:
      return "";
  }
}

function messageText(item: Extract<ResponseItem, { type: "message" }>): string {
  if (item.role === "assistant") return `## Codex\n\n${contentText(item.content)}\n\n`;
  if (!isUserMessage(item)) return "";
  const pictures = item.content.filter((part) => part.type === "input_image").length;
  const shown = pictures === 0 ? "" : `\n\n_(${pictures} pictures)_`;
  return `## User\n\n${contentText(item.content)}${shown}\n\n`;
}

/** A command as it would be typed; another call with its arguments. */
function callText(name: string, args: string): string {
  const command = commandOf(args);
  return command === undefined
    ? `**${name}**\n\n${fenced("json", args)}`
    : fenced("sh", `$ ${command}`);
}

function commandOf(args: string): string | undefined {
  try {
    const { command, cmd } = JSON.parse(args) as { command?: unknown; cmd?: unknown };
    if (typeof cmd === "string") return cmd;
    if (typeof command === "string") return command;
    if (!Array.isArray(command)) return undefined;
    const words = command.map(String);
    return readShellScript(words)?.script ?? joinWords(words);
  } catch {
    return undefined;
  }
}

/** Outputs of commands may be an object in JSON that holds the text. */
function outputText(output: unknown): string {
  if (Array.isArray(output)) {
    return output.map((part: { text?: string }) => part.text ?? "(picture)").join("\n");
  }
  const text = String(output);
  try {
    const inner: unknown = JSON.parse(text);
    if (typeof inner === "object" && inner !== null && "output" in inner)
      return String(inner.output);
  } catch {
    // It is plain text.
  }
  return text;
}

/** A fence longer than any in the text, which can then say what it likes. */
function fenced(language: string, text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text.replace(/\n$/, "")}\n${fence}\n\n`;
}
