import fc from "fast-check";
import { expect, test } from "vitest";
import {
  charCount,
  lineCount,
  linesOf,
  printable,
  splitText,
  takeFirstBytes,
  takeLastBytes,
} from "../../src/lib/text.js";

test.each([
  ["hello world", 5, 5, ["hello", "world", 1]],
  ["abc", 0, 0, ["", "", 3]],
  ["", 4, 4, ["", "", 0]],
  ["abcdef", 3, 0, ["abc", "", 3]],
  ["abcdef", 0, 3, ["", "def", 3]],
  ["abcdef", 4, 4, ["abcd", "ef", 0]],
  ["😀abc😀", 5, 5, ["😀a", "c😀", 1]],
  ["😀😀😀😀😀", 1, 1, ["", "", 5]],
  ["😀😀😀😀😀", 7, 7, ["😀", "😀", 3]],
  ["😀😀😀😀😀", 8, 8, ["😀😀", "😀😀", 1]],
] as const)("%j split at %i and %i bytes", (text, head, tail, expected) => {
  const split = splitText(text, head, tail);

  expect([split.head, split.tail, split.removedChars]).toEqual(expected);
});

test("no character is lost or counted twice", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.nat(30), fc.nat(30), (text, head, tail) => {
      const split = splitText(text, head, tail);
      return charCount(split.head) + split.removedChars + charCount(split.tail) === charCount(text);
    }),
  );
});

test("ends are taken between characters", () => {
  expect([takeFirstBytes("aäb", 2), takeLastBytes("aäb", 2), takeLastBytes("aäb", 9)]).toEqual([
    "a",
    "b",
    "aäb",
  ]);
});

test("lines are counted as a person would", () => {
  const texts = ["", "a", "a\n", "a\nb", "\n", "a\r\nb\r\n"];

  expect(texts.map(lineCount)).toEqual([0, 1, 1, 2, 1, 2]);
  expect(texts.map((text) => linesOf(text).length)).toEqual([0, 1, 1, 2, 1, 2]);
  expect(linesOf("a\r\nb")).toEqual(["a", "b"]);
});

test.each([
  ["colours and the cursor", "\x1b[31mred\x1b[0m\x1b[2J\x1b[1;1H", "red"],
  ["titles, also unfinished ones", "a\x1b]0;title\x07b\x1b]52;c;ZXZpbA==\x1b\\c\x1b]0;open", "abc"],
  ["device control and its kin", "a\x1bPq…\x1b\\b\x1b_x\x1b\\c\x1b^y\x1b\\d", "abcd"],
  ["the one-byte forms", "a\x9b31mb\x9d0;t\x9cc", "abc"],
  ["single controls", "a\x07b\x08c\x7fd\x1bce\x1b", "abcde"],
  ["the direction of reading", "a\u202eb\u2066c", "abc"],
])("%s are removed from text for a terminal", (_, text, shown) => {
  expect(printable(text)).toBe(shown);
});

test("line breaks, tabs and letters of all kinds stay", () => {
  expect(printable("a\tb\r\nc\rd\ne é 漢字 🙂")).toBe("a\tb\nc\nd\ne é 漢字 🙂");
});
