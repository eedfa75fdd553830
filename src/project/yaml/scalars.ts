import type { Cursor } from "./cursor.js";

/** Folds lines: a newline becomes a space, and each empty line a newline. */
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

/** Reads plain text, which continues on lines indented further than `parent`. */
export function readPlain(cursor: Cursor, parent: number): string | null {
  const lines = [readLine(cursor)];
  for (;;) {
    const start = cursor.at;
    const [blank = ""] = cursor.take(/(?:[ \t]*\n)*/y) ?? [];
    const indent = /^[ \t]*/.exec(cursor.line)?.[0] ?? "";
    const content = cursor.line.slice(indent.length);
    const continues = content !== "" && !content.startsWith("#") && indent.length > parent;
    if (!continues) {
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
    cursor.fail(`quote a value that contains ": " or ends in ":"`);
  }
  cursor.at = cursor.lineEnd;
  cursor.take(/\n/y);
  return text.trimEnd();
}

/** Reads a block scalar (`|` or `>`): the following lines indented further than `parent`. */
export function readBlockScalar(cursor: Cursor, parent: number): string {
  const header = cursor.take(/([|>])(?:([1-9])([+-]?)|([+-]?)([1-9]?))(?=[ \t]*(?:\n|$)|[ \t]+#)/y);
  if (header === undefined) cursor.fail("text after | or > must start on the next line");
  cursor.endLine();
  const [, style, before, after, first, last] = header;
  const lines = takeLines(cursor, parent, Number(before ?? (last || 0)));
  return chomp(style === "|" ? lines.join("\n") : fold(lines), after || first || "");
}

/** Returns the lines without their indentation, which the first line determines unless given. */
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
      cursor.fail("a line of the text is indented less than its first line");
    }
    lines.push(isBlank ? line.slice(indent ?? line.length) : line.slice(indent));
    cursor.at = cursor.lineEnd;
    cursor.take(/\n/y);
  }
  return lines;
}

/** Folds lines, except indented ones and their neighbors. */
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

/** Applies the chomping sign: `-` drops trailing newlines, `+` retains them, the default is one. */
function chomp(text: string, sign: string): string {
  if (sign === "+") return text === "" ? "" : `${text}\n`;
  const stripped = text.replace(/\n+$/, "");
  return sign === "-" || stripped === "" ? stripped : `${stripped}\n`;
}
