import fc from "fast-check";
import { parse } from "smol-toml";
import { expect, test } from "vitest";
import { readStatements } from "../../../src/config/toml/statements.js";
import { copyTable, putAt, removeAt, type Table, valueAt } from "../../../src/config/toml/table.js";
import { TomlEditor } from "../../../src/config/write/editor.js";
import { keys, plainValues, renderToml, tables } from "./random-toml.js";

const read = (text: string) => parse(text) as Table;
const paths = fc.array(keys, { minLength: 1, maxLength: 3 });
const documents = fc
  .tuple(tables, fc.infiniteStream(fc.nat(11)))
  .map(([table, stream]) => renderToml(table, (count) => (stream.next().value as number) % count));

test("every statement of a text is at its offsets", () => {
  fc.assert(
    fc.property(documents, (text) => {
      const values = read(text);

      for (const statement of readStatements(text)) {
        if (statement.kind !== "value") continue;
        const alone = read(`x = ${text.slice(statement.valueStart, statement.end)}`);
        expect(alone.x).toEqual(valueAt(values, statement.path));
      }
    }),
    { numRuns: 100 },
  );
});

test("a set value is read back, and nothing else has changed", () => {
  fc.assert(
    fc.property(documents, paths, fc.oneof(plainValues, tables), (text, path, value) => {
      const editor = new TomlEditor(text, read, {});
      const expected = copyTable(read(text));
      putAt(expected, path, value);

      editor.set(path, value);

      expect(withoutEmpty(read(editor.text))).toEqual(withoutEmpty(expected));
    }),
    { numRuns: 200 },
  );
});

test("a value that is taken away is gone, and nothing else has changed", () => {
  fc.assert(
    fc.property(documents, paths, (text, path) => {
      const editor = new TomlEditor(text, read, {});
      const expected = copyTable(read(text));
      removeAt(expected, path);

      editor.remove(path);

      expect(withoutEmpty(read(editor.text))).toEqual(withoutEmpty(expected));
    }),
    { numRuns: 200 },
  );
});

test("adding a key of its own takes no comment away", () => {
  fc.assert(
    fc.property(documents, (text) => {
      const editor = new TomlEditor(text, read, {});

      editor.set(["new_table", "new_key"], 1);
      editor.set(["new_key"], 2);

      const comments = text.split(/\r?\n/).filter((line) => line.startsWith("#"));
      const lines = editor.text.split(/\r?\n/);
      expect(comments.filter((comment) => !lines.includes(comment))).toEqual([]);
    }),
    { numRuns: 100 },
  );
});

function withoutEmpty(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value)
    .map(([key, entry]) => [key, withoutEmpty(entry)] as const)
    .filter(([, entry]) => JSON.stringify(entry) !== "{}");
  return Object.fromEntries(entries);
}
