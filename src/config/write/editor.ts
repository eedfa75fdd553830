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

/** Changes a TOML text in place: what is not asked for, comments and order included, stays. */
export class TomlEditor {
  /** What some systems put at the beginning of a file. */
  #mark: string;
  #text: string;
  #parse: (text: string) => Table;
  #shape: Shape;

  /** `shape` says which numbers are fractional; `parse` throws when a text is not valid. */
  constructor(text: string, parse: (text: string) => Table, shape: Shape) {
    this.#mark = text.startsWith("\ufeff") ? "\ufeff" : "";
    this.#text = text.slice(this.#mark.length);
    this.#parse = parse;
    this.#shape = shape;
  }

  get text(): string {
    return this.#mark + this.#text;
  }

  /** Sets what is under a path; with `merge`, a table keeps the keys that `value` does not have. */
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

  /** Takes away what is under a path; nothing happens when there is nothing. */
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
    // Plain values first: below the head of an inner table they would belong to that one.
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

  /** What is no table gives way to a table, and a table to what is none. */
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

  /** Turns `key = { … }` into tables of their own, so that one of its keys can change alone. */
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

/** Keys in a `[[list]]` have no path of their own; only the list as a whole has. */
function isEntry(statement: Statement): boolean {
  return statement.inList && statement.kind === "value";
}

function isAt(statement: Statement, path: readonly string[]): boolean {
  return (
    !statement.inList && statement.path.length === path.length && startsWith(path, statement.path)
  );
}

/** Whether it stands in the table of that path, and in no inner one. */
function isIn(statement: Statement, table: readonly string[]): boolean {
  if (statement.kind !== "value" || statement.inList) return false;
  return statement.section.length === table.length && startsWith(statement.section, table);
}

/** Whether it is a value that the path goes through, or a list that it goes into. */
function isAround(statement: Statement, path: readonly string[]): boolean {
  if (statement.path.length >= path.length || !startsWith(path, statement.path)) return false;
  return statement.kind === "list" || (statement.kind === "value" && !statement.inList);
}

/** Whether its dotted key makes the table of that path, as `a.b = 1` makes `a`. */
function isDottedInto(statement: Statement, table: readonly string[]): boolean {
  if (statement.kind !== "value" || statement.inList) return false;
  return statement.section.length < table.length && startsWith(statement.path, table);
}

function inList(path: readonly string[], list: readonly string[]): CodexError {
  const message = `${writeKey(path)} cannot be set: ${writeKey(list)} is a list of tables`;
  return new CodexError("config", message, { data: { reason: "path", key: path } });
}
