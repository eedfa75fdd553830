import { CURSOR_MARKER } from "../pi.js";
import type { Background } from "../theme/theme.js";
import { widthOf } from "./width.js";

/**
 * Draws a line on a background, up to `width` columns; returns it unchanged if there is none.
 *
 * It is padded with spaces, not with an erase sequence: the rows that a terminal makes of it after a
 * resize are then the same everywhere.
 */
export function onBackground(line: string, background: Background, width: number): string {
  if (background === "") return line;
  const room = width - widthOf(line.replaceAll(CURSOR_MARKER, ""));
  const again = line.includes(reset) ? line.replaceAll(reset, `${reset}${background}`) : line;
  return `${background}${again}${room > 0 ? " ".repeat(room) : ""}\x1b[49m`;
}

const reset = "\x1b[0m";
