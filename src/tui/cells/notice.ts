import type { NoticeCell } from "../state/cell.js";
import { hangProse } from "../text/layout.js";
import { sanitize } from "../text/sanitize.js";
import type { View } from "../view.js";

/** A word of the program: what happened, and what to do about it. */
export function noticeLines({ level, text, hint }: NoticeCell, { theme, width }: View): string[] {
  const marks = { info: theme.dim("• "), warning: theme.warning("⚠ "), error: theme.failure("■ ") };
  const styles = { info: theme.dim, warning: theme.warning, error: theme.failure };
  const lines = sanitize(text).trimEnd().split("\n").map(styles[level]).join("\n");
  const advice = hint === undefined ? [] : hangProse(theme.dim(sanitize(hint)), width, "  ");
  return [...hangProse(lines, width, marks[level]), ...advice];
}
