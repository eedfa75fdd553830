import { writeKey } from "../toml/key.js";
import { endOfLine, type Statement, sharedLength } from "../toml/statements.js";

/** Replaces the value of a statement. */
export function replaceValue(text: string, statement: Statement, literal: string): string {
  return text.slice(0, statement.valueStart) + literal + text.slice(statement.end);
}

/** Inserts a line after a statement, with the same indentation. */
export function insertAfter(text: string, statement: Statement, line: string): string {
  const indent = text.slice(lineStart(text, statement.start), statement.start);
  return insertLines(text, nextLine(text, statement.end), [indent + line]);
}

/** Inserts a top-level key: before all tables, after a leading comment of the file. */
export function insertAtTop(text: string, first: Statement | undefined, line: string): string {
  if (first === undefined) return insertLines(text, text.length, [line]);
  const place = startOfComments(text, first);
  const gap = text.slice(place).startsWith(newlineOf(text)) ? [] : [""];
  return insertLines(text, place, [line, ...gap]);
}

/** Inserts a table after the closest related table, or at the end, with a blank line before it. */
export function insertSection(
  text: string,
  statements: readonly Statement[],
  path: readonly string[],
  lines: readonly string[],
): string {
  const last = lastRelative(statements, path) ?? statements.at(-1);
  const place =
    last === undefined || last === statements.at(-1) ? text.length : nextLine(text, last.end);
  const header = `[${writeKey(path)}]`;
  const before = text.slice(0, place);
  const after = text.slice(place);
  const gapBefore = before.trim() === "" || endsWithBlankLine(before) ? [] : [""];
  const gapAfter = after === "" || /^\r?\n/.test(after) ? [] : [""];
  return insertLines(text, place, [...gapBefore, header, ...lines, ...gapAfter]);
}

/** Removes a statement with its line. */
export function removeLine(text: string, statement: Statement): string {
  const before = text.slice(0, lineStart(text, statement.start));
  return joinAround(before, text.slice(nextLine(text, statement.end)));
}

/** Removes a table, from its header to its last statement, with surplus blank lines. */
export function removeSection(text: string, head: Statement, last: Statement): string {
  const before = text.slice(0, lineStart(text, head.start));
  const after = text.slice(nextLine(text, last.end));
  if (after.trim() === "") return before.replace(/\s+$/, newlineOf(text));
  return joinAround(before, after);
}

/** Returns the comment at the end of a statement's line, if any. */
export function commentOf(text: string, statement: Statement): string | undefined {
  const rest = text.slice(statement.end, endOfLine(text, statement.end)).trim();
  return rest.startsWith("#") ? rest : undefined;
}

/** Joins the text before and after a removed part without double blank lines. */
function joinAround(before: string, after: string): string {
  const separated = before === "" || endsWithBlankLine(before);
  return before + (separated ? after.replace(/^(?:[ \t]*\r?\n)+/, "") : after);
}

function lastRelative(
  statements: readonly Statement[],
  path: readonly string[],
): Statement | undefined {
  let best: Statement | undefined;
  let shared = 1;
  for (const statement of statements) {
    const length = sharedLength(statement.section, path);
    if (length >= shared) [best, shared] = [statement, length];
  }
  return best;
}

function insertLines(text: string, place: number, lines: readonly string[]): string {
  const newline = newlineOf(text);
  const before = text.slice(0, place);
  const start = before === "" || before.endsWith("\n") ? "" : newline;
  return before + start + lines.map((line) => line + newline).join("") + text.slice(place);
}

/** Returns the offset of the comments directly above a statement. */
function startOfComments(text: string, statement: Statement): number {
  let place = lineStart(text, statement.start);
  while (place > 0) {
    const above = lineStart(text, place - 1);
    if (!/^[ \t]*#/.test(text.slice(above, place))) break;
    place = above;
  }
  return place;
}

function lineStart(text: string, at: number): number {
  return text.lastIndexOf("\n", at - 1) + 1;
}

function nextLine(text: string, at: number): number {
  return Math.min(endOfLine(text, at) + 1, text.length);
}

function newlineOf(text: string): string {
  return text.includes("\r\n") ? "\r\n" : "\n";
}

function endsWithBlankLine(text: string): boolean {
  return /\n[ \t]*\r?\n$/.test(text);
}
