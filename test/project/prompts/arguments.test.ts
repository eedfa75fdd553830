import { expect, test } from "vitest";
import { parseNamedArguments, splitArguments } from "../../../src/project/prompts/arguments.js";

const words = (line: string) => splitArguments(line).words?.map(({ text }) => text);

test.each<[string, string[]]>([
  ["", []],
  ["  \t\n", []],
  ["one two", ["one", "two"]],
  ["'one two' three", ["one two", "three"]],
  ['a"b c"d', ["ab cd"]],
  ["''", [""]],
  ["fix #12 now", ["fix", "#12", "now"]],
  ["a\\ b", ["a b"]],
  ["'a\\b'", ["a\\b"]],
  ['"a\\"b"', ['a"b']],
  ['"a\\nb"', ["a\\nb"]],
  ['"\\$x \\\\"', ["$x \\"]],
  ["a\\\nb", ["ab"]],
  ["end\\", ["end\\"]],
  ["größe 😀", ["größe", "😀"]],
])("splits %j like a shell", (line, expected) => {
  expect(words(line)).toEqual(expected);
});

test.each(["'open", 'a "b', "it's"])("%j has an unclosed quote", (line) => {
  expect(splitArguments(line).problem).toMatch(/^unclosed quote ['"]$/);
});

const element = (start: number, end: number) => ({
  byte_range: { start, end },
  placeholder: "image",
});

test("an element is one word, or part of one, with its range in the word", () => {
  const line = "é [a b]x 'q [c]'";
  const image = Buffer.byteLength("é ");
  const second = Buffer.byteLength("é [a b]x 'q ");

  const split = splitArguments(line, [element(second, second + 3), element(image, image + 5)]);

  expect(split.words).toEqual([
    { text: "é", text_elements: [] },
    { text: "[a b]x", text_elements: [element(0, 5)] },
    { text: "q [c]", text_elements: [element(2, 5)] },
  ]);
});

test.each([
  [3, 3],
  [2, 99],
  [-1, 1],
])("an element from %i to %i is ignored", (start, end) => {
  expect(splitArguments("abc", [element(start, end)]).words).toEqual([
    { text: "abc", text_elements: [] },
  ]);
});

function named(line: string, elements: ReturnType<typeof element>[] = []) {
  return parseNamedArguments(splitArguments(line, elements).words ?? []);
}

test("reads names and values; the last value of a name counts", () => {
  const { values } = named("A=1 B='two words' A=x=y C=");

  expect([...(values ?? [])].map(([name, { text }]) => [name, text])).toEqual([
    ["A", "x=y"],
    ["B", "two words"],
    ["C", ""],
  ]);
});

test("elements of a value are shifted to its start", () => {
  const start = Buffer.byteLength("PICTURE=");

  const { values } = named("PICTURE=[image]", [element(start, start + 7)]);

  expect(values?.get("PICTURE")).toEqual({ text: "[image]", text_elements: [element(0, 7)] });
});

test.each([
  ["word", "expected key=value but found 'word'. Put values with spaces in double quotes."],
  ["=value", "expected a name before '=' in '=value'."],
])("%j is not a named argument", (line, problem) => {
  expect(named(line).problem).toBe(problem);
});
