import type { Waiting } from "../state/waiting.js";
import { truncate } from "../text/layout.js";
import { oneLine } from "../text/sanitize.js";
import type { View } from "../view.js";

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
