import { liveAgentLines } from "../cells/agent.js";
import { renderCell } from "../cells/render-cell.js";
import type { Cell } from "../state/cell.js";
import { retryText, type Status } from "../state/status.js";
import type { Waiting } from "../state/waiting.js";
import { truncate } from "../text/layout.js";
import { durationText } from "../text/numbers.js";
import { oneLine } from "../text/sanitize.js";
import type { View } from "../view.js";

const frames = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
/** How often the spinner turns. */
export const spinnerMs = 120;

const waitingText = { approval: "• Waiting for approval", answer: "• Waiting for your answer" };

/** What the agent does now, for how long, and how to stop it; nothing when no turn runs. */
export function workingLines(status: Status, heading: string | undefined, view: View): string[] {
  const { turn, retry } = status;
  const { theme, now, width } = view;
  if (status.isDisconnected) {
    return ["", truncate(theme.warning("⚠ Not connected to the server · reconnecting"), width)];
  }
  if (turn === undefined) return [];
  if (status.pending !== undefined) {
    return ["", truncate(theme.warning(waitingText[status.pending.kind]), width)];
  }
  const spinner = frames[Math.floor((now - turn.startedAt) / spinnerMs) % frames.length] ?? "";
  const clock = theme.dim(`(${durationText(now - turn.startedAt)} · esc to interrupt)`);
  const what =
    retry === undefined
      ? theme.bold(oneLine(heading ?? "Working"))
      : theme.warning(oneLine(retryText(retry, now)));
  return ["", truncate(`${theme.accent(spinner)} ${what} ${clock}`, width)];
}

/** How many of the messages that wait are shown. */
const mostShown = 5;

/** The messages that wait: for the running turn, and for those after it. */
export function waitingLines({ steers, queue }: Waiting, { theme, width }: View): string[] {
  const lines = [
    ...steers.map(({ text }) => `  ↳ ${oneLine(text).trim()}`),
    ...queue.map(({ text }) => `  ◷ ${oneLine(text).trim()}`),
  ];
  if (lines.length === 0) return [];
  const shown = lines.slice(0, mostShown).map((line) => theme.dim(truncate(line, width)));
  const hidden = lines.length - shown.length;
  if (hidden > 0) shown.push(theme.dim(`    … ${hidden} more`));
  if (queue.length > 0) shown.push(theme.dim(truncate("    alt+↑ to edit the last one", width)));
  return ["", ...shown];
}

/** What still runs, in at most `height` lines; what does not fit is shown by its end. */
export function liveCellLines(cells: readonly Cell[], view: View, height: number): string[] {
  const lines = cells.flatMap((cell) => {
    if (cell.kind === "agent") {
      const own = liveAgentLines(cell, view, height - 1);
      return cell.isTight ? own : ["", ...own];
    }
    const own = renderCell(cell, view);
    // Thoughts are shown by their last lines: the headline is in the working line.
    return cell.kind === "reasoning" && own.length > 5 ? ["", ...own.slice(-4)] : own;
  });
  return lines.length > height ? lines.slice(lines.length - height) : lines;
}
