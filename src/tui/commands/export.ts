import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { inputText } from "../cells/user.js";
import type { Cell } from "../state/cell.js";
import { complain, type SlashCommand, say } from "./command.js";

/** Copies the last answer. */
export const copy: SlashCommand = {
  name: "copy",
  summary: "Copy the last answer to the clipboard",
  isAlwaysReady: true,
  run(context) {
    const text = lastAnswer(context.session.conversation.transcript.finished);
    if (text === "") {
      say(context, "There is no answer to copy yet");
      return;
    }
    // The terminal sets the clipboard, also when this runs on another machine.
    const encoded = Buffer.from(text).toString("base64");
    context.ui.screen.terminal.write(`\x1b]52;c;${encoded}\x07`);
    say(
      context,
      "Copied the last answer",
      "If the clipboard is empty, allow programs to set it in the settings of your terminal (OSC 52)",
    );
  },
};

/** Writes the conversation to a file. */
export const exportThread: SlashCommand = {
  name: "export",
  summary: "Export this session to a Markdown file",
  operands: "[FILE]",
  isAlwaysReady: true,
  async run(context, operands) {
    const { session, ui } = context;
    const initial = `quire-${session.threadId.slice(0, 8)}.md`;
    const file =
      operands || (await ui.question({ title: "Export to which file?", initial }))?.trim();
    if (!file) return;
    const path = resolve(file);
    try {
      // A file that is there stays as it is: it may be something else.
      await writeFile(path, toMarkdown(session.conversation.transcript.finished), { flag: "wx" });
      say(context, `Exported to ${path}`);
    } catch (error) {
      complain(context, `Could not write ${path}`, error);
    }
  },
};

/** The blocks of the message that came last. */
export function lastAnswer(cells: readonly Cell[]): string {
  const blocks: string[] = [];
  for (const cell of [...cells].reverse()) {
    if (cell.kind === "review" && cell.hasEnded && blocks.length === 0) return cell.text.trim();
    if (cell.kind !== "agent") {
      if (blocks.length > 0) break;
      continue;
    }
    blocks.unshift(cell.isTight ? cell.source : `\n${cell.source}`);
    if (cell.isFirst) break;
  }
  return blocks.join("\n").trim();
}

/** A conversation as a document. */
function toMarkdown(cells: readonly Cell[]): string {
  return `${cells
    .map(cellMarkdown)
    .filter((text) => text !== "")
    .join("\n\n")}\n`;
}

function cellMarkdown(cell: Cell): string {
  switch (cell.kind) {
    case "user":
      return `## You\n\n${inputText(cell.input)}`;
    case "agent":
      return cell.isFirst ? `## Agent\n\n${cell.source}` : cell.source;
    case "command":
      return `${fenced(`$ ${cell.item.command}\n${cell.output.text()}`.trimEnd(), "console")}`;
    case "patch":
      return cell.changes
        .map(({ path, diff }) => `\`${path}\`\n\n${fenced(diff.trimEnd(), "diff")}`)
        .join("\n\n");
    case "plan":
      return cell.steps
        .map(({ step, status }) => `- [${status === "completed" ? "x" : " "}] ${step}`)
        .join("\n");
    case "mcp":
      return `Called \`${cell.item.server}.${cell.item.tool}\``;
    case "tool":
      return `${cell.title} ${cell.detail}`.trim();
    case "review":
      return cell.hasEnded ? cell.text : "";
    case "notice":
      return cell.level === "info" ? "" : `> ${cell.text.replaceAll("\n", "\n> ")}`;
    default:
      return "";
  }
}

/** Fences longer than any in the text, so that it cannot end them. */
function fenced(text: string, language: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}
