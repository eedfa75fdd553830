/** A line of a file without its ending, and the ending as it stands there. */
export interface SourceLine {
  text: string;
  ending: "\n" | "\r\n" | "\r" | "";
}

/** A text taken apart so that it can be put together again byte for byte. */
export interface SourceText {
  /** A byte order mark, or nothing. */
  mark: string;
  lines: SourceLine[];
  /** How new lines end: as the first one of the file does. */
  ending: "\n" | "\r\n" | "\r";
}

const BYTE_ORDER_MARK = "\uFEFF";

/** Takes a text apart into lines. */
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

/** Puts lines together; a line without an ending, which the old file may have had last, gets one. */
export function joinSource({ mark, lines, ending }: SourceText): string {
  const parts: string[] = [mark];
  for (const line of lines) parts.push(line.text, line.ending || ending);
  return parts.join("");
}
