/** A line of a file and its line ending. */
export interface SourceLine {
  text: string;
  ending: "\n" | "\r\n" | "\r" | "";
}

/** A text split so that it can be joined again byte for byte. */
export interface SourceText {
  /** Byte order mark, or empty. */
  mark: string;
  lines: SourceLine[];
  /** Ending for added lines: that of the first line of the file. */
  ending: "\n" | "\r\n" | "\r";
}

const BYTE_ORDER_MARK = "\uFEFF";

/** Splits a text into lines. */
export function splitSource(text: string): SourceText {
  const mark = text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : "";
  const lines: SourceLine[] = [];
  const breaks = /\r\n|\n|\r/g;
  let start = mark.length;
  breaks.lastIndex = start;
  for (let found = breaks.exec(text); found; found = breaks.exec(text)) {
    lines.push({ text: text.slice(start, found.index), ending: found[0] as "\n" | "\r\n" | "\r" });
    start = breaks.lastIndex;
  }
  if (start < text.length) lines.push({ text: text.slice(start), ending: "" });
  return { mark, lines, ending: lines[0]?.ending || "\n" };
}

/**
 * Joins lines; adds an ending to a line without one, which may have been the last of the old file.
 */
export function joinSource({ mark, lines, ending }: SourceText): string {
  const parts: string[] = [mark];
  for (const line of lines) parts.push(line.text, line.ending || ending);
  return parts.join("");
}
