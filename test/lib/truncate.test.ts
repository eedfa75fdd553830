import fc from "fast-check";
import { expect, test } from "vitest";
import {
  charCount,
  lineCount,
  linesOf,
  splitText,
  takeFirstBytes,
  takeLastBytes,
} from "../../src/lib/truncate.js";

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
