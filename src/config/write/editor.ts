import { isDeepStrictEqual } from "node:util";
import { CodexError } from "../../protocol/error.js";
import { type Shape, shapeAt } from "../check/shape.js";
import { writeKey } from "../toml/key.js";
import { readStatements, type Statement, startsWith } from "../toml/statements.js";
import { isTable, type Table, valueAt } from "../toml/table.js";
import {
  commentOf,
  insertAfter,
  insertAtTop,
  insertSection,
  removeLine,
  removeSection,
  replaceValue,
} from "./splice.js";
import { writeValue } from "./write-value.js";

/** Edits a TOML text in place; keeps everything else, including comments and order. */
export class TomlEditor {
  /** Byte order mark of the file, if any. */
  #mark: string;
  #text: string;
  #parse: (text: string) => Table;
  #shape: Shape;

  /** `shape` determines which numbers are fractional; `parse` throws on invalid text. */
  constructor(text: string, parse: (text: string) => Table, shape: Shape) {
    this.#mark = text.startsWith("\ufeff") ? "\ufeff" : "";
    this.#text = text.slice(this.#mark.length);
    this.#parse = parse;
    this.#shape = shape;
  }

  get text(): string {
    return this.#mark + this.#text;
  }

  /** Sets the value at a path; with `merge`, keeps the other keys of a table. */
  set(path: readonly string[], value: unknown, merge = false): void {
    const old = valueAt(this.#parse(this.#text), path);
    if (isDeepStrictEqual(old, value)) return;
    if (!isTable(value)) {
      this.#setPlain(path, writeValue(value, shapeAt(this.#shape, path)));
      return;
    }
    if (old !== undefined && !isTable(old)) this.remove(path);
    if (isTable(old) && !merge) {
      for (const key of Object.keys(old))
        if (!Object.hasOwn(value, key)) this.remove([...path, key]);
    }
    this.#setTable(path, value, merge);
  }

  /** Removes the value at a path, if any. */
  remove(path: readonly string[]): void {
    if (valueAt(this.#parse(this.#text), path) === undefined) return;
    for (;;) {
      const statements = readStatements(this.#text);
      const around = statements.find((one) => isAround(one, path));
      const index = statements.findIndex((one) => startsWith(one.path, path) && !isEntry(one));
      const statement = statements[index];
      if (around !== undefined) this.#expand(around);
      else if (statement === undefined) return;
      else if (statement.kind === "value") this.#text = removeLine(this.#text, statement);
      else this.#removeSection(statements, index);
    }
  }

  #setTable(path: readonly string[], table: Table, merge: boolean): void {
    const entries = Object.entries(table);
    // Scalars first: after the header of an inner table they would belong to it.
    const plain = entries.filter(([, value]) => !isTable(value));
    const tables = entries.filter(([, value]) => isTable(value));
    for (const [key, value] of [...plain, ...tables]) this.set([...path, key], value, merge);
    if (entries.length > 0 || valueAt(this.#parse(this.#text), path) !== undefined) return;
    this.#clearTheWay(path);
    this.#text = insertSection(this.#text, readStatements(this.#text), path, []);
  }

  #setPlain(path: readonly string[], literal: string): void {
    this.#clearTheWay(path);
    const statements = readStatements(this.#text);
    const existing = statements.find((one) => one.kind === "value" && isAt(one, path));
    if (existing !== undefined) this.#text = replaceValue(this.#text, existing, literal);
    else this.#insert(path, literal, statements);
  }

  /** Removes a value that the new one cannot coexist with: a table for a scalar, or a scalar for a table. */
  #clearTheWay(path: readonly string[]): void {
    const statements = readStatements(this.#text);
    const around = statements.find((one) => isAround(one, path));
    const below = statements.some(
      (one) =>
        startsWith(one.path, path) && (one.kind !== "value" || one.path.length > path.length),
    );
    if (below) this.remove(path);
    if (around === undefined) return;
    if (around.kind === "list") throw inList(path, around.path);
    if (this.#isInlineTable(around)) this.#expand(around);
    else this.#text = removeLine(this.#text, around);
    this.#clearTheWay(path);
  }

  #insert(path: readonly string[], literal: string, statements: readonly Statement[]): void {
    const parent = path.slice(0, -1);
    const line = `${writeKey(path.slice(-1))} = ${literal}`;
    const head = statements.findIndex((one) => one.kind === "table" && isAt(one, parent));
    const section = statements.filter((one) => isIn(one, parent));
    const dotted = statements.findLast((one) => isDottedInto(one, parent));
    const last = section.at(-1) ?? statements[head];
    if (last !== undefined) this.#text = insertAfter(this.#text, last, line);
    else if (dotted !== undefined) {
      const key = writeKey(path.slice(dotted.section.length));
      this.#text = insertAfter(this.#text, dotted, `${key} = ${literal}`);
    } else if (parent.length === 0) this.#text = insertAtTop(this.#text, statements[0], line);
    else this.#text = insertSection(this.#text, statements, parent, [line]);
  }

  /** Expands `key = { … }` into a table, so that a single key can change. */
  #expand(statement: Statement): void {
    const { path } = statement;
    const comment = commentOf(this.#text, statement);
    const value = valueAt(this.#parse(this.#text), path) as Table;
    this.#text = removeLine(this.#text, statement);
    if (comment !== undefined) {
      this.#text = insertSection(this.#text, readStatements(this.#text), path, [comment]);
    }
    this.#setTable(path, value, true);
  }

  #removeSection(statements: readonly Statement[], index: number): void {
    const head = statements[index];
    if (head === undefined) return;
    let end = index;
    while (statements[end + 1]?.kind === "value") end++;
    this.#text = removeSection(this.#text, head, statements[end] ?? head);
  }

  #isInlineTable(statement: Statement): boolean {
    return this.#text[statement.valueStart] === "{";
  }
}

/** Returns statements with a unique path: keys in a `[[list]]` have none. */
function isEntry(statement: Statement): boolean {
  return statement.inList && statement.kind === "value";
}

function isAt(statement: Statement, path: readonly string[]): boolean {
  return (
    !statement.inList && statement.path.length === path.length && startsWith(path, statement.path)
  );
}

/** Returns true if a statement is directly in the table of that path. */
function isIn(statement: Statement, table: readonly string[]): boolean {
  if (statement.kind !== "value" || statement.inList) return false;
  return statement.section.length === table.length && startsWith(statement.section, table);
}

/** Returns true if the path leads through this value or list. */
function isAround(statement: Statement, path: readonly string[]): boolean {
  if (statement.path.length >= path.length || !startsWith(path, statement.path)) return false;
  return statement.kind === "list" || (statement.kind === "value" && !statement.inList);
}

/** Returns true if its dotted key creates the table of that path, as `a.b = 1` creates `a`. */
function isDottedInto(statement: Statement, table: readonly string[]): boolean {
  if (statement.kind !== "value" || statement.inList) return false;
  return statement.section.length < table.length && startsWith(statement.path, table);
}

function inList(path: readonly string[], list: readonly string[]): CodexError {
  const message = `${writeKey(path)} cannot be set: ${writeKey(list)} is a list of tables`;
  return new CodexError("config", message, { data: { reason: "path", key: path } });
}
