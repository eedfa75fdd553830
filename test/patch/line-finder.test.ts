import { expect, test } from "vitest";
import { LineFinder } from "../../src/patch/line-finder.js";

test.each([
  ["as it stands", ["a", "b", "c"], ["b", "c"], 1],
  ["but for blanks at the end", ["a", "b \t", "c"], ["b", "c  "], 1],
  ["but for blanks around it", ["a", "  b", "c"], ["b", " c"], 1],
  [
    "but for typographic signs",
    ["x", "say “a–b”…", "l’été\u00a0ici"],
    ['say "a-b"…', "l'été ici"],
    1,
  ],
  ["exactly rather than earlier with blanks", ["b ", "b"], ["b"], 1],
  ["not when it is longer than the file", ["a"], ["a", "b"], undefined],
  ["not when it is not there", ["a", "b"], ["c"], undefined],
  ["at the start when it is empty", ["a", "b"], [], 0],
])("a run of lines is found %s", (_name, lines, pattern, index) => {
  expect(new LineFinder(lines).find(pattern, { start: 0 })).toBe(index);
});

test("lines before the start are not searched", () => {
  expect(new LineFinder(["a", "b", "a"]).find(["a"], { start: 1 })).toBe(2);
});

test("an end-of-file run matches only at the end", () => {
  expect(new LineFinder(["a", "b", "a"]).find(["a"], { start: 0, atEnd: true })).toBe(2);
  expect(new LineFinder(["a", "b"]).find(["a"], { start: 0, atEnd: true })).toBeUndefined();
});
