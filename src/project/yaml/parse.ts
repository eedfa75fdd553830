import { Cursor, excerpt, type YamlMapping, type YamlValue } from "./cursor.js";
import { flowStart, readFlow, readQuoted } from "./flow.js";
import { readBlockScalar, readPlain } from "./scalars.js";

/**
 * Parses the YAML used in front matter of Markdown files.
 *
 * Supports mappings, lists and all kinds of text, in block or flow style. Anchors, tags and keys
 * that are not text are rejected. Throws a `YamlError`.
 */
export function parseYaml(text: string): YamlValue {
  const cursor = new Cursor(text.replace(/\r\n?/g, "\n").replace(/^\ufeff/, ""));
  if (cursor.nextContent() < 0) return null;
  const value = readNode(cursor, -1);
  if (cursor.nextContent() >= 0) cursor.fail(`unexpected indentation of "${excerpt(cursor.line)}"`);
  return value;
}

/** Reads the value at the cursor; `parent` is the column of its container. */
function readNode(cursor: Cursor, parent: number): YamlValue {
  return cursor.nested(() => {
    if (isItem(cursor)) return readList(cursor, cursor.column);
    if (startsKey(cursor)) return readMapping(cursor, cursor.column);
    return readScalar(cursor, parent);
  });
}

function isItem(cursor: Cursor): boolean {
  return /^-(?:\s|$)/.test(cursor.line);
}

function startsKey(cursor: Cursor): boolean {
  const { line } = cursor;
  if (/^\?(?:\s|$)/.test(line)) cursor.fail("keys that start with ? are not supported");
  if (/^"(?:[^"\\]|\\.)*"\s*:(?:\s|$)|^'(?:[^']|'')*'\s*:(?:\s|$)/.test(line)) return true;
  return !/^["'[{|>#]/.test(line) && /^(?:(?! #).)*?:(?:\s|$)/.test(line);
}

function readList(cursor: Cursor, column: number): YamlValue[] {
  const items: YamlValue[] = [];
  while (cursor.nextContent() === column && isItem(cursor)) {
    cursor.at++;
    items.push(readItem(cursor, column));
  }
  return items;
}

function readItem(cursor: Cursor, column: number): YamlValue {
  cursor.skipBlanks();
  if (isLineOver(cursor)) return readBelow(cursor, column);
  return readNode(cursor, column);
}

function readMapping(cursor: Cursor, column: number): YamlMapping {
  const mapping: YamlMapping = new Map();
  while (cursor.nextContent() === column && !isItem(cursor)) {
    if (!startsKey(cursor))
      cursor.fail(`"${excerpt(cursor.line)}" has no key; expected "key: value"`);
    const key = readKey(cursor);
    if (mapping.has(key)) cursor.fail(`duplicate key ${key}`);
    mapping.set(key, readMember(cursor, column));
  }
  return mapping;
}

function readKey(cursor: Cursor): string {
  if (cursor.char === '"' || cursor.char === "'") {
    const key = readQuoted(cursor);
    cursor.take(/[ \t]*:/y);
    return key;
  }
  refuseSpecial(cursor);
  const [, key = ""] = cursor.take(/([^\n]*?)[ \t]*:(?=\s|$)/y) ?? [];
  return key;
}

function readMember(cursor: Cursor, column: number): YamlValue {
  cursor.skipBlanks();
  if (isLineOver(cursor)) return readBelow(cursor, column, true);
  if (isItem(cursor)) cursor.fail("a list must start on a new line");
  return cursor.nested(() => readScalar(cursor, column));
}

function isLineOver(cursor: Cursor): boolean {
  return /^(?:#|$)/.test(cursor.line);
}

/** A value on a later line must be indented further, except a list below its key. */
function readBelow(cursor: Cursor, column: number, isMember = false): YamlValue {
  const found = cursor.nextContent();
  if (found > column) return readNode(cursor, column);
  return isMember && found === column && isItem(cursor) ? readNode(cursor, column) : null;
}

function readScalar(cursor: Cursor, parent: number): YamlValue {
  if (cursor.char === "|" || cursor.char === ">") return readBlockScalar(cursor, parent);
  if (!flowStart.test(cursor.char)) {
    refuseSpecial(cursor);
    return readPlain(cursor, parent);
  }
  const value = readFlow(cursor);
  cursor.endLine();
  return value;
}

function refuseSpecial(cursor: Cursor): void {
  const { char } = cursor;
  if (char === "&" || char === "*" || char === "!") {
    cursor.fail(`anchors and tags are not supported; quote text that starts with ${char}`);
  }
  if (char !== "" && "%@`,]}".includes(char)) {
    cursor.fail(`text that starts with ${char} must be quoted`);
  }
}
