import type { NoticeCell } from "../state/cell.js";
import { hang } from "../text/layout.js";
import { sanitize } from "../text/sanitize.js";
import type { View } from "../view.js";

/** A word of the program: what happened, and what to do about it. */
export function noticeLines({ level, text, hint }: NoticeCell, { theme, width }: View): string[] {
  const marks = { info: theme.dim("• "), warning: theme.warning("⚠ "), error: theme.failure("■ ") };
  const styles = { info: theme.dim, warning: theme.warning, error: theme.failure };
  const lines = sanitize(text).trimEnd().split("\n").map(styles[level]).join("\n");
  const advice = hint === undefined ? [] : hang(theme.dim(sanitize(hint)), width, "  ");
  return [...hang(lines, width, marks[level]), ...advice];
}
