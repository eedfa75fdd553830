import { isUnbroken } from "../text/hyperlink.js";
import { widthOf } from "../text/layout.js";

/** Position of the hardware cursor in the frame. */
export interface CursorPosition {
  row: number;
  column: number;
}

/** One frame: finished lines and live lines. */
export interface Frame {
  /** Lines that leave the frame for the scrollback. */
  finished: readonly string[];
  live: readonly string[];
  cursor: CursorPosition | undefined;
  columns: number;
  rows: number;
}

/**
 * The bottom lines of the terminal, redrawn in place; finished lines scroll up above them.
 *
 * Never clears the screen and never touches the lines above, so the scrollback is preserved. It
 * only returns the text to write, and knows nothing else of the terminal.
 */
export class LiveRegion {
  #lines: readonly string[] = [];
  #row = 0;
  #columns = 0;

  /** Returns the output that updates the terminal to this frame. */
  next(frame: Frame): string {
    const live = lastOf(frame.live, frame.rows);
    const hidden = frame.live.length - live.length;
    const isResized = this.#columns !== 0 && this.#columns !== frame.columns;
    const body =
      isResized || frame.finished.length > 0
        ? this.#rewrite(frame, live, isResized)
        : this.#change(live);
    const place = this.#place(frame.cursor, hidden, live.length);
    this.#lines = live;
    this.#columns = frame.columns;
    if (body === "" && place === "") return "";
    return `${beginFrame}${body}${place}${endFrame}`;
  }

  /**
   * Erases the region.
   *
   * Row by row: tmux keeps in its scrollback what is erased to the end of the screen.
   */
  erase(): string {
    const text = `${move(-this.#row)}\r${this.#clearRows()}${showCursor}`;
    this.#lines = [];
    this.#row = 0;
    return text;
  }

  /** Clears every row, then returns to the first. */
  #clearRows(): string {
    const rows = this.#lines.map(() => "\x1b[2K").join("\x1b[1B");
    return `${rows}${move(1 - Math.max(1, this.#lines.length))}`;
  }

  #rewrite({ finished, columns, rows }: Frame, live: readonly string[], isResized: boolean) {
    const above = isResized ? Math.min(rows - 1, this.#rowsAbove(columns)) : this.#row;
    const lines = [...finished, ...live];
    // After a change of width, the number of rows that the old lines take is unknown.
    const start = `${move(-above)}\r${isResized ? clearAll : finished.some(isUnbroken) ? this.#clearRows() : ""}`;
    const text = lines.map((line) => `\x1b[2K${line}`).join("\r\n");
    const isShorter = !isResized && lines.length < this.#lines.length;
    this.#row = live.length - 1;
    return `${start}${text}${isShorter ? clearBelow : ""}`;
  }

  #change(live: readonly string[]): string {
    let text = "";
    let row = this.#row;
    for (const [index, line] of live.entries()) {
      if (line === this.#lines[index]) continue;
      text += `${toRow(row, index, this.#lines.length)}\x1b[2K${line}`;
      row = index;
    }
    if (live.length < this.#lines.length) {
      text += `${move(live.length - 1 - row)}${live.length === 0 ? clearAll : clearBelow}`;
      row = Math.max(0, live.length - 1);
    }
    this.#row = row;
    return text;
  }

  #place(cursor: CursorPosition | undefined, hidden: number, count: number): string {
    if (cursor === undefined || cursor.row < hidden) return hideCursor;
    const row = Math.min(cursor.row - hidden, count - 1);
    const text = `${move(row - this.#row)}\x1b[${cursor.column + 1}G${showCursor}`;
    this.#row = row;
    return text;
  }

  /**
   * Counts the rows above the cursor after a resize: the terminal has rewrapped lines that are too
   * wide.
   */
  #rowsAbove(columns: number): number {
    let rows = 0;
    for (const line of this.#lines.slice(0, this.#row)) {
      rows += Math.max(1, Math.ceil(widthOf(line) / Math.max(1, columns)));
    }
    return rows;
  }
}

const beginFrame = "\x1b[?2026h";
const endFrame = "\x1b[?2026l";
const hideCursor = "\x1b[?25l";
const showCursor = "\x1b[?25h";
/**
 * Clears from this row on, from its second column: tmux moves the whole screen into its scrollback if it is
 * erased from the first column of the first row.
 */
const clearAll = "\r\x1b[2K\x1b[2G\x1b[J\r";
/**
 * Clears from the next row on: erasing from the end of a full row would delete its last character.
 */
const clearBelow = "\r\n\x1b[J\x1b[1A";

function move(rows: number): string {
  if (rows === 0) return "";
  return rows > 0 ? `\x1b[${rows}B` : `\x1b[${-rows}A`;
}

/** Moves to an existing row; adds rows with line breaks. */
function toRow(from: number, to: number, existing: number): string {
  const last = Math.max(0, existing - 1);
  if (to <= last) return `${move(to - from)}\r`;
  return `${move(last - from)}${"\r\n".repeat(to - last)}`;
}

function lastOf(lines: readonly string[], count: number): readonly string[] {
  return lines.length > count ? lines.slice(lines.length - count) : lines;
}
