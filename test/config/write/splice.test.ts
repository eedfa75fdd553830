import { describe, expect, test } from "vitest";
import { readStatements, type Statement } from "../../../src/config/toml/statements.js";
import { commentOf, insertAfter, replaceValue } from "../../../src/config/write/splice.js";

/** The statement for a dotted path. */
function find(text: string, path: string): Statement {
  const found = readStatements(text).find((statement) => statement.path.join(".") === path);
  if (found === undefined) throw new Error(`no ${path}`);
  return found;
}

describe("a statement", () => {
  test.each([
    ["a = 1 # why\nb = 2\n", "a", "9", "a = 9 # why\nb = 2\n"],
    ['[t]\n  x = "long" \n', "t.x", "true", "[t]\n  x = true \n"],
    ["a = [\n 1,\n 2,\n]\n", "a", "[]", "a = []\n"],
    ["a.b='x'", "a.b", '"y"', 'a.b="y"'],
  ])("of %j gets another value", (text, path, literal, result) => {
    expect(replaceValue(text, find(text, path), literal)).toBe(result);
  });

  test.each([
    ["a = 1\n", "a", "b = 2", "a = 1\nb = 2\n"],
    ["a = 1", "a", "b = 2", "a = 1\nb = 2\n"],
    ["[t]\n  a = 1 # c\n\n[u]\n", "t.a", "b = 2", "[t]\n  a = 1 # c\n  b = 2\n\n[u]\n"],
    ["a = 1\r\n", "a", "b = 2", "a = 1\r\nb = 2\r\n"],
  ])("of %j is followed by a line with its indentation", (text, path, line, result) => {
    expect(insertAfter(text, find(text, path), line)).toBe(result);
  });

  test.each([
    ["a = 1 # why", "# why"],
    ["a = 1", undefined],
    ['a = "# no"', undefined],
    ["a = 1 # why\n# other", "# why"],
  ])("of %j has the comment %s", (text, comment) => {
    expect(commentOf(text, find(text, "a"))).toBe(comment);
  });
});
