import fc from "fast-check";
import { expect, test } from "vitest";
import { readString } from "../../../src/shell/rules/string-literal.js";
import { parseCalls } from "../../../src/shell/rules/syntax.js";
import { readTokens } from "../../../src/shell/rules/tokens.js";
import type { Value } from "../../../src/shell/rules/values.js";

const at = { file: "a.rules", line: 1, column: 1 };
const read = (source: string) => readString(source, 0, at);
const messageOf = (action: () => unknown) => {
  try {
    action();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  return "no error";
};

test.each([
  ["'a'", "a"],
  ['"a\'b"', "a'b"],
  ["'''a\n'b'''", "a\n'b"],
  ['"""""" rest', ""],
  ['r"a\\nb"', "a\\nb"],
  ["R'a\\'b'", "a\\'b"],
  ['"\\n\\t\\r\\a\\b\\f\\v\\\\\\"\\\'"', "\n\t\r\x07\b\f\v\\\"'"],
  ['"a\\\nb"', "ab"],
  ['"\\101\\0"', "A\0"],
  ['"\\x41\\u00e9\\U0001F600"', "Aé😀"],
])("the string %j has the value %j", (source, value) => {
  expect(read(source)?.value).toBe(value);
});

test.each([
  ["a", undefined],
  ["1", undefined],
  ["", undefined],
])("%j starts no string", (source, expected) => {
  expect(read(source)).toBe(expected);
});

test.each([
  ["'a", "the string is not closed; end it with '"],
  ["'a\n'", "the string is not closed; end it with '"],
  ["'''a''", "the string is not closed; end it with '''"],
  ['"\\q"', "unknown escape \\q in a string"],
  ['"\\xZZ"', "unknown escape \\x in a string"],
  ['"\\U00110000"', "unknown escape \\U in a string"],
  ['b"a"', "strings with the prefix b are not supported"],
])("%j is refused: %s", (source, problem) => {
  expect(messageOf(() => read(source))).toContain(problem);
});

test("a string that was escaped is read back, and its length ends where it does", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.string(), (value, rest) => {
      const source = `"${value.replaceAll(/["\\\n]/g, (char) => (char === "\n" ? "\\n" : `\\${char}`))}"`;
      // `""` and a further quote start a triple-quoted string.
      fc.pre(value !== "" || !rest.startsWith('"'));

      expect(read(source + rest)).toEqual({ value, length: source.length });
    }),
  );
});

test("tokens know where they are; newlines inside brackets and comments are dropped", () => {
  const tokens = readTokens("a.rules", 'f(\n  "x", # why\n  1)\r\ny = [] \\\n + z');

  expect(tokens.map(({ type, text, at: { line, column } }) => [type, text, line, column])).toEqual([
    ["name", "f", 1, 1],
    ["sign", "(", 1, 2],
    ["string", "x", 2, 3],
    ["sign", ",", 2, 6],
    ["number", "1", 3, 3],
    ["sign", ")", 3, 4],
    ["newline", "\n", 3, 5],
    ["name", "y", 4, 1],
    ["sign", "=", 4, 3],
    ["sign", "[", 4, 5],
    ["sign", "]", 4, 6],
    ["sign", "+", 5, 2],
    ["name", "z", 5, 4],
    ["newline", "\n", 5, 5],
    ["end", "", 5, 5],
  ]);
});

const functions = { rule: ["first", "second"] };
const plain = (value: Value | undefined): unknown =>
  value?.type === "list"
    ? value.items.map(plain)
    : value?.type === "string"
      ? value.value
      : value?.type;

test.each([
  ['rule("a", "b")', { first: "a", second: "b" }],
  ['rule(second = "b", first = ["a"])', { first: ["a"], second: "b" }],
  ['A = ["a"]\nrule(A + ["b"] + A)', { first: ["a", "b", "a"] }],
  ['rule("a" + "b", None)', { first: "ab" }],
  ["rule([[], [[]],],)", { first: [[], [[]]] }],
  ["rule(True, 12)", { first: "bool", second: "int" }],
])("%j calls with %j", (source, expected) => {
  const [call] = parseCalls("a.rules", source, functions);

  expect(
    Object.fromEntries([...(call?.args ?? [])].map(([name, value]) => [name, plain(value)])),
  ).toEqual(expected);
});

test.each([
  ['rule("a", "b", "c")', "a.rules:1:16"],
  ["rule(first)", "a.rules:1:6: unknown name first"],
  ["rule(x = 1)", "unknown argument x"],
  ["def f(): pass", "def is not supported in rules files"],
  ["rule(", "a.rules:1:6"],
  ["rule() rule()", "a.rules:1:8"],
  ["= 1", "a.rules:1:1"],
])("%j is refused at %j", (source, problem) => {
  expect(messageOf(() => parseCalls("a.rules", source, functions))).toContain(problem);
});

test("any text is parsed, or refused with a position", () => {
  const pieces = fc.constantFrom(
    "rule",
    "(",
    ")",
    "[",
    "]",
    ",",
    "=",
    "+",
    '"a"',
    "x",
    "\n",
    " ",
    "#",
    "'",
    "1",
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 15 }), (parts) => {
      const message = messageOf(() => parseCalls("a.rules", parts.join(""), functions));

      expect(message === "no error" || /^a\.rules:\d+:\d+: ./s.test(message)).toBe(true);
    }),
  );
});
