import { renderMarkdown } from "../markdown/render.js";
import type { ReviewCell } from "../state/cell.js";
import { hang, prefixed } from "../text/layout.js";
import { oneLine } from "../text/sanitize.js";
import type { View } from "../view.js";

/** A review begins, with what is looked at, or ends, with what was found. */
export function reviewLines({ hasEnded, text }: ReviewCell, view: View): string[] {
  const { theme, width } = view;
  if (!hasEnded) {
    return hang(theme.bold(`Review of ${oneLine(text)}`), width, theme.accent("▶ "), "  ");
  }
  const lines = renderMarkdown(text, { ...view, width: Math.max(1, width - 2) });
  return [`${theme.accent("◀ ")}${theme.bold("Review")}`, ...prefixed(lines, "  ", "  ")];
}
