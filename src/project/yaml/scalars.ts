import type { Cursor } from "./cursor.js";

/** Joins lines as YAML does: a line end becomes a blank, and each empty line a line end. */
export function foldLines(lines: readonly string[]): string {
  let text = lines[0] ?? "";
  let empty = 0;
  for (const line of lines.slice(1)) {
    if (line === "") {
      empty++;
      continue;
    }
    text += empty === 0 ? ` ${line}` : "\n".repeat(empty) + line;
    empty = 0;
  }
  return text + "\n".repeat(empty);
}

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

/** Reads text that begins with `|` or `>`: the lines below that stand further in than `parent`. */
export function readBlockScalar(cursor: Cursor, parent: number): string {
  const header = cursor.take(/([|>])(?:([1-9])([+-]?)|([+-]?)([1-9]?))(?=[ \t]*(?:\n|$)|[ \t]+#)/y);
  if (header === undefined) cursor.fail("after | or > the text begins on the next line");
  cursor.endLine();
  const [, style, before, after, first, last] = header;
  const lines = takeLines(cursor, parent, Number(before ?? (last || 0)));
  return chomp(style === "|" ? lines.join("\n") : fold(lines), after || first || "");
}

/** The lines without their indentation, which is that of the first one unless it is given. */
function takeLines(cursor: Cursor, parent: number, given: number): string[] {
  const lines: string[] = [];
  let indent = given > 0 ? Math.max(parent, 0) + given : undefined;
  while (!cursor.atEnd) {
    const { line } = cursor;
    const spaces = /^ */.exec(line)?.[0].length ?? 0;
    const isBlank = line.trim() === "";
    if (!isBlank && spaces <= parent) break;
    if (!isBlank) indent ??= spaces;
    if (!isBlank && spaces < (indent ?? 0)) {
      cursor.fail("a line of the text stands further out than its first line");
    }
    lines.push(isBlank ? line.slice(indent ?? line.length) : line.slice(indent));
    cursor.at = cursor.lineEnd;
    cursor.take(/\n/y);
  }
  return lines;
}

/** Lines become one, but not those that stand further in, nor what is beside them. */
function fold(lines: readonly string[]): string {
  let text = "";
  for (const [index, line] of lines.entries()) {
    const next = lines[index + 1];
    text += line;
    if (next === undefined) break;
    const joins = isText(line) && isText(next);
    const lastOfText = isText(line) && next === "" && isText(nextText(lines, index));
    text += joins ? " " : lastOfText ? "" : "\n";
  }
  return text;
}

function isText(line: string | undefined): boolean {
  return line !== undefined && line !== "" && !/^[ \t]/.test(line);
}

function nextText(lines: readonly string[], index: number): string | undefined {
  return lines.slice(index + 1).find((line) => line !== "");
}

/** `-` keeps no line end, `+` keeps all, and otherwise there is one when there is text. */
function chomp(text: string, sign: string): string {
  if (sign === "+") return text === "" ? "" : `${text}\n`;
  const stripped = text.replace(/\n+$/, "");
  return sign === "-" || stripped === "" ? stripped : `${stripped}\n`;
}
