import { endOfQuoted, readKey, skipBlanks } from "./key.js";

/** A statement of a TOML text with its offsets. */
export interface Statement {
  /** `[table]`, `[[list]]` or `key = value`. */
  kind: "table" | "list" | "value";
  /** Full path, including that of its table. */
  path: string[];
  /** Path of its table; its own path for `[table]`. */
  section: string[];
  /** True inside a `[[list]]`, where a path is ambiguous. */
  inList: boolean;
  start: number;
  /** Offset after the statement, before a comment on its line. */
  end: number;
  /** Offset of the value of `key = value`. */
  valueStart: number;
}

/**
 * Splits TOML into statements; blank lines and comments are between them.
 *
 * The text must be valid TOML.
 */
export function readStatements(text: string): Statement[] {
  const statements: Statement[] = [];
  const lists = new Set<string>();
  let section: string[] = [];
  let inList = false;
  for (let at = skipVoid(text, 0); at < text.length; ) {
    const start = at;
    if (text[at] === "[") {
      const kind = text[at + 1] === "[" ? "list" : "table";
      const width = kind === "list" ? 2 : 1;
      const { path, end } = readKey(text, at + width);
      if (kind === "list") lists.add(JSON.stringify(path));
      section = path;
      inList = path.some((_, index) => lists.has(JSON.stringify(path.slice(0, index + 1))));
      at = skipBlanks(text, end) + width;
      statements.push({ kind, path, section, inList, start, end: at, valueStart: at });
    } else {
      const { path, end } = readKey(text, at);
      const valueStart = skipBlanks(text, skipBlanks(text, end) + 1);
      at = endOfValue(text, valueStart);
      const whole = [...section, ...path];
      statements.push({ kind: "value", path: whole, section, inList, start, end: at, valueStart });
    }
    const next = skipVoid(text, at);
    if (next === start) break;
    at = next;
  }
  return statements;
}

/** Returns the line number of the first statement for a path, or for its longest known prefix. */
export function lineOf(text: string, path: readonly string[]): number | undefined {
  let best: Statement | undefined;
  let shared = 0;
  for (const statement of readStatements(text)) {
    const length = sharedLength(statement.path, path);
    if (length > shared) [best, shared] = [statement, length];
  }
  return best === undefined ? undefined : text.slice(0, best.start).split("\n").length;
}

/** Returns true if a path is `prefix` or below it. */
export function startsWith(path: readonly string[], prefix: readonly string[]): boolean {
  return sharedLength(path, prefix) === prefix.length;
}

/** Returns the length of the common prefix of two paths. */
export function sharedLength(left: readonly string[], right: readonly string[]): number {
  const limit = Math.min(left.length, right.length);
  let length = 0;
  while (length < limit && left[length] === right[length]) length++;
  return length;
}

/** Skips whitespace, comments and a byte order mark. */
function skipVoid(text: string, start: number): number {
  let at = start;
  while (at < text.length && /[\s#]/.test(text.charAt(at))) {
    at = text[at] === "#" ? endOfLine(text, at) : at + 1;
  }
  return at;
}

/** Returns the offset of the line end, or of the end of the text. */
export function endOfLine(text: string, start: number): number {
  const end = text.indexOf("\n", start);
  return end === -1 ? text.length : end;
}

function endOfValue(text: string, start: number): number {
  const first = text.charAt(start);
  if (first === '"' || first === "'") return endOfText(text, start);
  if (first !== "[" && first !== "{") return endOfPlain(text, start);
  let depth = 0;
  for (let at = start; at < text.length; ) {
    const char = text.charAt(at);
    if (char === '"' || char === "'") at = endOfText(text, at);
    else if (char === "#") at = endOfLine(text, at);
    else {
      if (char === "[" || char === "{") depth++;
      if (char === "]" || char === "}") depth--;
      at++;
      if (depth === 0) return at;
    }
  }
  return text.length;
}

function endOfText(text: string, start: number): number {
  const quote = text.charAt(start);
  if (!text.startsWith(quote.repeat(3), start)) return endOfQuoted(text, start);
  let at = start + 3;
  while (at < text.length && !text.startsWith(quote.repeat(3), at)) {
    at += quote === '"' && text[at] === "\\" ? 2 : 1;
  }
  at += 3;
  // Up to two quotes may precede the closing three.
  while (text[at] === quote) at++;
  return at;
}

function endOfPlain(text: string, start: number): number {
  let at = start;
  while (at < text.length && !/[#\r\n]/.test(text.charAt(at))) at++;
  return start + text.slice(start, at).trimEnd().length;
}
