import { retryText } from "../state/retry.js";
import type { Status } from "../state/status.js";
import { durationText } from "../text/duration.js";
import { truncate } from "../text/layout.js";
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
