import type { Cursor, YamlMapping, YamlValue } from "./cursor.js";
import { foldLines } from "./scalars.js";

/** What begins a value that says itself where it ends. */
export const flowStart = /^["'[{]$/;

/** Reads a value in brackets, braces or quotes; within brackets also text without quotes. */
export function readFlow(cursor: Cursor): YamlValue {
  return cursor.nested(() => {
    if (cursor.char === "[") return readFlowList(cursor);
    if (cursor.char === "{") return readFlowMapping(cursor);
    if (cursor.char === '"' || cursor.char === "'") return readQuoted(cursor);
    return readFlowPlain(cursor);
  });
}

/** Reads text in quotes. */
export function readQuoted(cursor: Cursor): string {
  const pattern =
    cursor.char === '"' ? /"([^"\\]*(?:\\[\s\S][^"\\]*)*)"/y : /'([^']*(?:''[^']*)*)'/y;
  const found = cursor.take(pattern);
  if (found === undefined) cursor.fail("the quote that begins here is not closed");
  const [quoted, text = ""] = found;
  if (quoted.startsWith("'")) return foldQuoted(text).replaceAll("''", "'");
  return foldQuoted(text.replace(/\\\n[ \t]*/g, "")).replace(
    /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([\s\S]))/g,
    (sequence, two?: string, four?: string, eight?: string, kind?: string) => {
      if (kind === undefined) return fromCodePoint(cursor, two ?? four ?? eight ?? "");
      return escapes[kind] ?? cursor.fail(`"${sequence}" means nothing within double quotes`);
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
  if (code > 0x10ffff) cursor.fail(`there is no character with the number ${digits}`);
  return String.fromCodePoint(code);
}

/** Within quotes lines are folded, and the blanks around their ends do not count. */
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
    if (typeof key !== "string") cursor.fail("a key must be text");
    skipLines(cursor);
    const hasValue = cursor.take(colon) !== undefined;
    if (mapping.has(key)) cursor.fail(`the key ${key} is given twice`);
    skipLines(cursor);
    const isEmpty = !hasValue || cursor.char === "," || cursor.char === "}";
    mapping.set(key, isEmpty ? null : readFlow(cursor));
    separate(cursor, "}");
  }
  return mapping;
}

function closes(cursor: Cursor, bracket: string): boolean {
  skipLines(cursor);
  if (cursor.atEnd) cursor.fail(`${bracket} is missing`);
  if (cursor.char !== bracket) return false;
  cursor.at++;
  return true;
}

function separate(cursor: Cursor, bracket: string): void {
  skipLines(cursor);
  if (cursor.char === ",") cursor.at++;
  else if (cursor.char !== bracket) cursor.fail(`${bracket} or a comma is missing`);
}

function skipLines(cursor: Cursor): void {
  cursor.take(/(?:\s|(?<=\s)#[^\n]*)*/y);
}

function readFlowPlain(cursor: Cursor): string | null {
  if (/[&*!|>%@`]/.test(cursor.char))
    cursor.fail(`put text that begins with ${cursor.char} in quotes`);
  const found = cursor.take(/(?:(?!:(?:[\s,\]}]|$)|\s#)[^,[\]{}])+/y);
  if (found === undefined) cursor.fail("a value is missing");
  const text = foldLines(found[0].split("\n").map((line) => line.trim())).trim();
  return text === "" || text === "~" || /^null$/i.test(text) ? null : text;
}
