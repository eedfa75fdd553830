import { describe, expect, test } from "vitest";
import { JsonSyntaxError, parseLocatedJson } from "../../src/lib/json-lines.js";

const text = `{
  "a": 1,
  "b": {
    "c": [
      "x",
      { "d\\n": null }
    ]
  },
  "": true,
  "e": "a \\"quoted\\" }"
}`;

describe("lines of JSON values", () => {
  test.each([
    [[], 1],
    [["a"], 2],
    [["b"], 3],
    [["b", "c"], 4],
    [["b", "c", "0"], 5],
    [["b", "c", "1"], 6],
    [["b", "c", "1", "d\n"], 6],
    [["b", "c", "2"], 4],
    [["b", "missing", "deeper"], 3],
    [["missing"], 1],
    [[""], 9],
    [["e"], 10],
  ])("the path %j is on line %d", (path, line) => {
    expect(parseLocatedJson(text).lineOf(path)).toBe(line);
  });

  test.each(["1", '"a"', "null", " [ ] ", "{}", "\n\n[1,[2,[]],{}]", '{"a":-1.5e3,"b":false}'])(
    "the value of %j is that of JSON.parse",
    (source) => {
      expect(parseLocatedJson(source).value).toEqual(JSON.parse(source));
    },
  );

  test("a number of many digits is one value", () => {
    const digits = "1".repeat(1000);
    const located = parseLocatedJson(`{"a": ${digits},\n"b": [0.${digits}, 1]}`);

    expect(located.lineOf(["b"])).toBe(2);
    expect(located.lineOf(["b", "1"])).toBe(2);
  });
});

describe("mistakes", () => {
  test.each([
    ['{"a": 1,\n "a": 2}', 2, 'the key "a" occurs twice (column 2)'],
    ['{"a": {"b": 1, "b": 1}}', 1, 'the key "b" occurs twice (column 16)'],
    ['{"a": 1, "\\u0061": 2}', 1, 'the key "a" occurs twice (column 10)'],
  ])("%j has one on line %d", (source, line, message) => {
    try {
      parseLocatedJson(source);
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(JsonSyntaxError);
      expect(error).toMatchObject({ line, message });
    }
  });

  test.each([
    ["", 1],
    ["{", 1],
    ['{\n"a": ,\n}', 2],
    ["[1,\n2\n3]", 3],
    ['{"a": 1}\nx', 2],
    ["{'a': 1}", 1],
    ['{"a": 1,\n"b": [1, 2,],\n"c": 3}', 2],
    [`[\n${'"x",\n'.repeat(50)}oops\n]`, 52],
    ['{"a": tru}\n', 1],
  ])("%j is invalid on line %d", (source, line) => {
    try {
      parseLocatedJson(source);
      expect.unreachable();
    } catch (error) {
      expect(error).toMatchObject({ line, message: expect.stringMatching(/ \(column \d+\)$/) });
      expect(String(error)).not.toContain("position");
    }
  });

  test("the same key in different objects is not one", () => {
    const source = '{"a": {"a": 1}, "b": [{"a": 1}, {"a": 2}]}';

    expect(parseLocatedJson(source).value).toEqual(JSON.parse(source));
  });
});
