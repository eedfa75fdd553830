import type { Cursor, YamlMapping, YamlValue } from "./cursor.js";
import { foldLines } from "./scalars.js";

/** First character of a value with its own delimiters. */
export const flowStart = /^["'[{]$/;

/** Reads a value in brackets, braces or quotes, or plain text inside brackets. */
export function readFlow(cursor: Cursor): YamlValue {
  return cursor.nested(() => {
    if (cursor.char === "[") return readFlowList(cursor);
    if (cursor.char === "{") return readFlowMapping(cursor);
    if (cursor.char === '"' || cursor.char === "'") return readQuoted(cursor);
    return readFlowPlain(cursor);
  });
}

/** Reads quoted text. */
export function readQuoted(cursor: Cursor): string {
  const pattern =
    cursor.char === '"' ? /"([^"\\]*(?:\\[\s\S][^"\\]*)*)"/y : /'([^']*(?:''[^']*)*)'/y;
  const found = cursor.take(pattern);
  if (found === undefined) cursor.fail("unclosed quote");
  const [quoted, text = ""] = found;
  if (quoted.startsWith("'")) return foldQuoted(text).replaceAll("''", "'");
  return foldQuoted(text.replace(/\\\n[ \t]*/g, "")).replace(
    /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([\s\S]))/g,
    (sequence, two?: string, four?: string, eight?: string, kind?: string) => {
      if (kind === undefined) return fromCodePoint(cursor, two ?? four ?? eight ?? "");
      return escapes[kind] ?? cursor.fail(`invalid escape "${sequence}" in double quotes`);
    },
  );
}

const escapes: Record<string, string> = {
  "0": "\0",
  a: "\x07",
  b: "\b",
  t: "\t",
  n: "\n",
  v: "\v",
  f: "\f",
  r: "\r",
  e: "\x1b",
  " ": " ",
  "\t": "\t",
  '"': '"',
  "/": "/",
  "\\": "\\",
  N: "\x85",
  _: "\xa0",
  L: "\u2028",
  P: "\u2029",
};

function fromCodePoint(cursor: Cursor, digits: string): string {
  const code = Number.parseInt(digits, 16);
  if (code > 0x10ffff) cursor.fail(`invalid code point ${digits}`);
  return String.fromCodePoint(code);
}

/** Folds lines in quotes, trimming blanks at their ends. */
function foldQuoted(text: string): string {
  if (!text.includes("\n")) return text;
  const lines = text.split("\n");
  const last = lines.length - 1;
  return foldLines(
    lines.map((line, index) => {
      const left = index === 0 ? line : line.trimStart();
      return index === last ? left : left.trimEnd();
    }),
  );
}

function readFlowList(cursor: Cursor): YamlValue[] {
  const items: YamlValue[] = [];
  cursor.at++;
  while (!closes(cursor, "]")) {
    items.push(readFlow(cursor));
    separate(cursor, "]");
  }
  return items;
}

function readFlowMapping(cursor: Cursor): YamlMapping {
  const mapping: YamlMapping = new Map();
  cursor.at++;
  while (!closes(cursor, "}")) {
    const colon = cursor.char === '"' || cursor.char === "'" ? /:/y : /:(?=[\s,}\]]|$)/y;
    const key = readFlow(cursor);
    if (typeof key !== "string") cursor.fail("a key must be a string");
    skipLines(cursor);
    const hasValue = cursor.take(colon) !== undefined;
    if (mapping.has(key)) cursor.fail(`duplicate key ${key}`);
    skipLines(cursor);
    const isEmpty = !hasValue || cursor.char === "," || cursor.char === "}";
    mapping.set(key, isEmpty ? null : readFlow(cursor));
    separate(cursor, "}");
  }
  return mapping;
}

function closes(cursor: Cursor, bracket: string): boolean {
  skipLines(cursor);
  if (cursor.atEnd) cursor.fail(`missing ${bracket}`);
  if (cursor.char !== bracket) return false;
  cursor.at++;
  return true;
}

function separate(cursor: Cursor, bracket: string): void {
  skipLines(cursor);
  if (cursor.char === ",") cursor.at++;
  else if (cursor.char !== bracket) cursor.fail(`missing , or ${bracket}`);
}

function skipLines(cursor: Cursor): void {
  cursor.take(/(?:\s|(?<=\s)#[^\n]*)*/y);
}

function readFlowPlain(cursor: Cursor): string | null {
  if (/[&*!|>%@`]/.test(cursor.char)) cursor.fail(`quote text that starts with ${cursor.char}`);
  const found = cursor.take(/(?:(?!:(?:[\s,\]}]|$)|\s#)[^,[\]{}])+/y);
  if (found === undefined) cursor.fail("missing value");
  const text = foldLines(found[0].split("\n").map((line) => line.trim())).trim();
  return text === "" || text === "~" || /^null$/i.test(text) ? null : text;
}
