import { liveAgentLines } from "../cells/agent.js";
import { renderCell } from "../cells/render-cell.js";
import type { Cell } from "../state/cell.js";
import type { PendingMessages } from "../state/pending-messages.js";
import { retryText, type Status } from "../state/status.js";
import { truncate } from "../text/layout.js";
import { durationText } from "../text/numbers.js";
import { oneLine } from "../text/sanitize.js";
import { marks } from "../theme/marks.js";
import type { View } from "../view.js";

/** Time between two redraws while a turn runs: the pulse of the mark and the elapsed time. */
export const pulseMs = 500;

const waitingText = { approval: "Waiting for approval", answer: "Waiting for your answer" };

/**
 * Renders the activity of the agent, its duration and how to interrupt it; empty if no turn runs.
 */
export function workingLines(status: Status, heading: string | undefined, view: View): string[] {
  const { turn, retry } = status;
  const { theme, now, width } = view;
  if (status.isDisconnected) {
    return ["", truncate(theme.warning("⚠ Not connected to the server · reconnecting"), width)];
  }
  if (turn === undefined) return [];
  if (status.pending !== undefined) {
    const text = `${marks.waiting} ${waitingText[status.pending.kind]}`;
    return ["", truncate(theme.bold(theme.accent(text)), width)];
  }
  const clock = theme.dim(`(${durationText(now - turn.startedAt)} · esc to interrupt)`);
  const hook = [...status.hooks.values()].at(-1);
  const what =
    retry === undefined
      ? theme.bold(oneLine(hook ?? heading ?? "Working"))
      : theme.warning(oneLine(retryText(retry, now)));
  return ["", truncate(`${pulse(now - turn.startedAt, view)} ${what} ${clock}`, width)];
}

/** Returns the mark of a running turn, which pulses unless animations are off. */
function pulse(elapsed: number, { theme, isStill }: View): string {
  const isLow = !isStill && Math.floor(elapsed / pulseMs) % 2 === 1;
  if (theme.id === "mono") return isLow ? "○" : marks.running;
  return (isLow ? theme.dim : theme.accent)(marks.running);
}

/** Limit of pending messages shown. */
const mostShown = 5;

/**
 * Renders pending messages: those sent to the running turn, then those queued for the next ones.
 */
export function pendingLines({ steers, queue }: PendingMessages, { theme, width }: View): string[] {
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

/** Renders running items in at most `height` lines; cuts at the top. */
export function liveCellLines(cells: readonly Cell[], view: View, height: number): string[] {
  const lines = cells.flatMap((cell) => {
    if (cell.kind === "agent") {
      const own = liveAgentLines(cell, view, height - 1);
      return cell.isTight ? own : ["", ...own];
    }
    const own = renderCell(cell, view);
    // Only the last lines of reasoning: its heading is in the working line.
    return cell.kind === "reasoning" && own.length > 5 ? ["", ...own.slice(-4)] : own;
  });
  return lines.length > height ? lines.slice(lines.length - height) : lines;
}
