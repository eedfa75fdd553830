import { describe, expect, test } from "vitest";
import { parseKeyPath, quoteText, readKey, writeKey } from "../../../src/config/toml/key.js";

describe("a path as typed", () => {
  test.each([
    ["model", ["model"]],
    ["a.b.c", ["a", "b", "c"]],
    [" a . b ", ["a", "b"]],
    ['projects."/a.b".trust_level', ["projects", "/a.b", "trust_level"]],
    ["a.'b.c'", ["a", "b.c"]],
    ['"with \\"quotes\\""', ['with "quotes"']],
    ['"tab\\t"', ["tab\t"]],
    ['"\\u00e4"', ["ä"]],
    ["ключ", ["ключ"]],
  ])("%j is parsed", (text, path) => {
    expect(parseKeyPath(text)).toEqual(path);
  });

  test.each(["", " ", ".", "a.", ".a", "a..b", 'a."b', '"a" b', "a.'b'c"])(
    "%j is rejected",
    (text) => {
      expect(() => parseKeyPath(text)).toThrow(/Expected a key such as `tui\.theme`/);
    },
  );
});

describe("a path", () => {
  test.each([
    [["a"], "a"],
    [["a", "b-c", "d_1"], "a.b-c.d_1"],
    [["a.b"], '"a.b"'],
    [["/p q"], '"/p q"'],
    [['say "x"'], '"say \\"x\\""'],
    [["new\nline"], '"new\\nline"'],
    [["ä"], '"ä"'],
  ])("%j is formatted, and parsed as the same", (path, text) => {
    expect(writeKey(path)).toBe(text);
    expect(parseKeyPath(text)).toEqual(path);
  });

  test("of half a character is rejected", () => {
    expect(() => quoteText("\ud800")).toThrow("is not Unicode");
  });
});

test.each([
  ["a = 1", 0, ["a"], 1],
  ["a.b = 1", 0, ["a", "b"], 3],
  ["x\n[ a . 'b' ]", 3, ["a", "b"], 11],
  ['"a.b".c=1', 0, ["a.b", "c"], 7],
])("the key in %j at %i is read", (text, start, path, end) => {
  const read = readKey(text, start);

  expect(read.path).toEqual(path);
  expect(text.slice(0, read.end).trimEnd().length).toBe(end);
});
