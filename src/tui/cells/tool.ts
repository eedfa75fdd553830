import type { ToolCell } from "../state/cell.js";
import { hang, truncate } from "../text/layout.js";
import { oneLine, reveal } from "../text/sanitize.js";
import type { View } from "../view.js";
import { statusMark } from "./status-mark.js";

/** A search, a picture that was looked at, a tool of the client: a line or two. */
export function toolLines({ title, detail, status }: ToolCell, view: View): string[] {
  const { theme, width } = view;
  const text = `${theme.bold(oneLine(title))} ${theme.name(reveal(detail).replaceAll("\n", " "))}`;
  const shown = view.isFull ? text : truncate(text, Math.max(1, 2 * width - 4));
  return hang(shown.trimEnd(), width, statusMark(status, theme), "  ");
}
