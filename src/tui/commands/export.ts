import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { inputText } from "../cells/user.js";
import { joinBlocks } from "../markdown/blocks.js";
import type { AgentCell, Cell } from "../state/cell.js";
import { type CommandContext, printError, printNotice, type SlashCommand } from "./command.js";

/** `/copy` */
export const copy: SlashCommand = {
  name: "copy",
  summary: "Copy the last answer, or a code block of it, to the clipboard",
  isAlwaysReady: true,
  async run(context) {
    const answer = lastAnswer(context.session.conversation.transcript.finished);
    if (answer === "") {
      printNotice(context, "There is no answer to copy yet");
      return;
    }
    const text = await choosePart(context, answer);
    const what = text === answer ? "the last answer" : "the code";
    if (text !== undefined) copyText(context, text, what);
  },
};

/** Copies the last answer without a question. */
export function copyAnswer(context: CommandContext): void {
  const answer = lastAnswer(context.session.conversation.transcript.finished);
  if (answer === "") printNotice(context, "There is no answer to copy yet");
  else copyText(context, answer, "the last answer");
}

/** Offers the code blocks of an answer besides the whole. */
async function choosePart({ ui }: CommandContext, answer: string): Promise<string | undefined> {
  const blocks = [...answer.matchAll(/^(`{3,})([^\n`]*)\n([\s\S]*?)^\1`*[ ]*$/gm)];
  if (blocks.length === 0) return answer;
  return ui.pick({
    title: "Copy what?",
    choices: [
      { value: answer, label: "The whole answer" },
      ...blocks.map(([, , language = "", code = ""]) => ({
        value: code,
        label: `Code ${language}`.trim(),
        description: code.trim().split("\n")[0] ?? "",
      })),
    ],
    preview: async (text) => text.split("\n"),
  });
}

function copyText(context: CommandContext, text: string, what: string): void {
  // OSC 52: the terminal sets the clipboard, so this also works over SSH.
  const encoded = Buffer.from(text).toString("base64");
  context.ui.screen.terminal.write(`\x1b]52;c;${encoded}\x07`);
  printNotice(
    context,
    `Copied ${what}`,
    "If the clipboard is empty, enable clipboard access (OSC 52) in the settings of your terminal",
  );
}

/** `/export` */
export const exportThread: SlashCommand = {
  name: "export",
  summary: "Export this session to a Markdown file",
  operands: "[FILE]",
  isAlwaysReady: true,
  async run(context, operands) {
    const { session, ui } = context;
    const initial = `quire-${session.threadId.slice(0, 8)}.md`;
    const file = operands || (await ui.question({ title: "Export to file", initial }))?.trim();
    if (!file) return;
    const path = resolve(file);
    try {
      // `wx`: never overwrite an existing file.
      await writeFile(path, toMarkdown(session.conversation.transcript.finished), { flag: "wx" });
      printNotice(context, `Exported to ${path}`);
    } catch (error) {
      printError(context, `Could not write ${path}`, error);
    }
  },
};

/** Returns the text of the last agent message. */
export function lastAnswer(cells: readonly Cell[]): string {
  const blocks: AgentCell[] = [];
  for (const cell of [...cells].reverse()) {
    if (cell.kind === "review" && cell.hasEnded && blocks.length === 0) return cell.text.trim();
    if (cell.kind !== "agent") {
      if (blocks.length > 0) break;
      continue;
    }
    blocks.unshift(cell);
    if (cell.isFirst) break;
  }
  return joinBlocks(blocks).trim();
}

/** Converts the transcript to Markdown. */
function toMarkdown(cells: readonly Cell[]): string {
  return `${withWholeCode(cells)
    .map(cellMarkdown)
    .filter((text) => text !== "")
    .join("\n\n")}\n`;
}

/** Joins the parts of code blocks. */
function withWholeCode(cells: readonly Cell[]): Cell[] {
  const whole: Cell[] = [];
  for (const cell of cells) {
    const before = whole.at(-1);
    if (cell.kind === "agent" && cell.isContinued && before?.kind === "agent")
      whole[whole.length - 1] = { ...before, source: joinBlocks([before, cell]) };
    else whole.push(cell);
  }
  return whole;
}

function cellMarkdown(cell: Cell): string {
  switch (cell.kind) {
    case "user":
      return `## You\n\n${inputText(cell.input)}`;
    case "agent":
      return cell.isFirst ? `## Agent\n\n${cell.source}` : cell.source;
    case "command":
      return `${fenced(`$ ${cell.item.command}\n${cell.output.text()}`.trimEnd(), "console")}`;
    case "explored":
      return cell.commands.map(cellMarkdown).join("\n\n");
    case "patch":
      return cell.changes
        .map(({ path, diff }) => `\`${path}\`\n\n${fenced(diff.trimEnd(), "diff")}`)
        .join("\n\n");
    case "plan":
      return cell.steps
        .map(({ step, status }) => `- [${status === "completed" ? "x" : " "}] ${step}`)
        .join("\n");
    case "proposal":
      return "## Proposed plan";
    case "answers":
      return cell.questions
        .map(({ question, answers }) => `> ${question}\n\n${answers.join(", ") || "skipped"}`)
        .join("\n\n");
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

/** Fences text with more backticks than any run in it. */
function fenced(text: string, language: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}
