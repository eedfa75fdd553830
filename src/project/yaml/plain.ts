import type { Cursor } from "./cursor.js";
import { foldLines } from "./fold.js";

/** Reads text without quotes, which goes on over the lines that stand further in than `parent`. */
export function readPlain(cursor: Cursor, parent: number): string | null {
  const lines = [readLine(cursor)];
  for (;;) {
    const start = cursor.at;
    const [blank = ""] = cursor.take(/(?:[ \t]*\n)*/y) ?? [];
    const indent = /^[ \t]*/.exec(cursor.line)?.[0] ?? "";
    const content = cursor.line.slice(indent.length);
    const goesOn = content !== "" && !content.startsWith("#") && indent.length > parent;
    if (!goesOn) {
      cursor.at = start;
      break;
    }
    lines.push(...Array(blank.split("\n").length - 1).fill(""));
    cursor.at += indent.length;
    lines.push(readLine(cursor));
  }
  const text = foldLines(lines);
  return text === "" || text === "~" || /^null$/i.test(text) ? null : text;
}

function readLine(cursor: Cursor): string {
  const [, text = ""] = /^(.*?)(?:[ \t]+#.*)?$/.exec(cursor.line) ?? [];
  if (/:(?:\s|$)/.test(text)) {
    cursor.fail(`put a value that holds ": " or ends in ":" in quotes`);
  }
  cursor.at = cursor.lineEnd;
  cursor.take(/\n/y);
  return text.trimEnd();
}
