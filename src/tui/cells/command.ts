import { unwrapShell } from "../../lib/unwrap-shell.js";
import type { CommandCell } from "../state/cell.js";
import { hang, prefixed, truncate, wrap } from "../text/layout.js";
import { counted, durationText } from "../text/numbers.js";
import { reveal, sanitize } from "../text/sanitize.js";
import type { View } from "../view.js";
import type { WireCommand } from "../wire.js";
import { foldLines, statusMark } from "./small.js";

/**
 * Lines of output shown for a running command, a finished one of the agent, and one of the user.
 */
const shownLines = { running: 4, agent: 7, user: 40 };

/** Renders a command with its output; long output is folded. */
export function commandLines(cell: CommandCell, view: View): string[] {
  return [...headLines(cell, view), ...outputLines(cell, view), ...endLines(cell, view)];
}

function headLines({ item, isDone, startedAt }: CommandCell, view: View): string[] {
  const { theme, width, now } = view;
  const verb = isDone ? doneVerb(item) : "Running";
  const clock = isDone ? "" : theme.dim(` (${durationText(now - startedAt)})`);
  const lines = commandText(item.command, view);
  const mark = `${statusMark(item.status, theme)}${theme.bold(verb)} `;
  const [first = "", ...rest] = lines;
  const folded = view.isFull ? rest : foldLines(rest, 5);
  return [
    ...hang(`${first}${clock}`, width, mark, theme.dim("  │ ")),
    ...folded.flatMap((line) => hang(line, width, theme.dim("  │ "), theme.dim("  │ "))),
  ];
}

function doneVerb({ source, status }: WireCommand): string {
  if (status === "declined") return "Denied";
  if (status === "inProgress") return "Left running";
  return source === "userShell" ? "You ran" : "Ran";
}

function commandText(command: string, { highlight }: View): string[] {
  const text = reveal(unwrapShell(command));
  return highlight?.(text, "bash") ?? text.split("\n");
}

function outputLines({ item, output, isDone }: CommandCell, view: View): string[] {
  const { theme, width } = view;
  const room = Math.max(1, width - 4);
  const most = !isDone
    ? shownLines.running
    : item.source === "userShell"
      ? shownLines.user
      : shownLines.agent;
  const lines = isDone
    ? doneLines(output.text(), most, view)
    : runningLines(output.last(2000), most, output.lineEnds);
  const wrapped = view.isFull
    ? lines.flatMap((line) => wrap(line, room))
    : lines.map((line) => truncate(line, room));
  return prefixed(wrapped.map(theme.dim), theme.dim("  └ "), "    ");
}

function doneLines(text: string, most: number, { isFull }: View): string[] {
  const lines = sanitize(text).trimEnd().split("\n");
  if (lines.length === 1 && lines[0] === "") return [];
  return isFull ? lines : foldLines(lines, most);
}

/** Returns the last lines of a running command's output; earlier ones are counted. */
function runningLines(tail: string, most: number, lineEnds: number): string[] {
  const lines = sanitize(tail).trimEnd().split("\n").slice(-most);
  if (lines.length === 1 && lines[0] === "") return [];
  const hidden = lineEnds - lines.length;
  return hidden > 0 ? [`… ${counted(hidden, "line")} above`, ...lines] : lines;
}

function endLines({ item, isDone }: CommandCell, { theme }: View): string[] {
  if (!isDone || item.status !== "failed") return [];
  const code = item.exitCode;
  return [
    theme.failure(
      code === null || code === undefined ? "    interrupted" : `    exit code ${code}`,
    ),
  ];
}
