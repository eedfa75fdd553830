import { Cursor, excerpt, type YamlMapping, type YamlValue } from "./cursor.js";
import { flowStart, readFlow, readQuoted } from "./flow.js";
import { readBlockScalar, readPlain } from "./scalars.js";

/**
 * Reads the YAML that people write at the head of Markdown files.
 *
 * Mappings, lists and all forms of text are read, on several lines or within brackets. Anchors, tags
 * and keys that are not text are refused. Throws a `YamlError`.
 */
export function parseYaml(text: string): YamlValue {
  const cursor = new Cursor(text.replace(/\r\n?/g, "\n").replace(/^\ufeff/, ""));
  if (cursor.nextContent() < 0) return null;
  const value = readNode(cursor, -1);
  if (cursor.nextContent() >= 0)
    cursor.fail(`"${excerpt(cursor.line)}" is indented unlike the rest`);
  return value;
}

/** Reads what begins here; `parent` is the column of what it belongs to. */
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
  if (/^\?(?:\s|$)/.test(line)) cursor.fail("keys that begin with ? are not supported");
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
    if (!startsKey(cursor)) cursor.fail(`"${excerpt(cursor.line)}" has no key; write "key: value"`);
    const key = readKey(cursor);
    if (mapping.has(key)) cursor.fail(`the key ${key} is given twice`);
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
  if (isItem(cursor)) cursor.fail("a list begins on a line of its own");
  return cursor.nested(() => readScalar(cursor, column));
}

function isLineOver(cursor: Cursor): boolean {
  return /^(?:#|$)/.test(cursor.line);
}

/** A value that begins on a later line stands further in; only the lists of a key need not. */
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
    cursor.fail(`anchors and tags are not supported; put text that begins with ${char} in quotes`);
  }
  if (char !== "" && "%@`,]}".includes(char)) {
    cursor.fail(`text that begins with ${char} must be in quotes`);
  }
}
