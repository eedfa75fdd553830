import { expect, test } from "vitest";
import { fuzzyMatch } from "../../src/lib/fuzzy-match.js";

test.each([
  ["hello", "hl", [0, 2], -99],
  ["abc", "abc", [0, 1, 2], -100],
  ["my_file_name", "file", [3, 4, 5, 6], 0],
  ["FooBar", "foB", [0, 1, 3], -99],
  ["İstanbul", "is", [0, 1], -99],
  ["İ", "i̇", [0], -100],
  ["anything", "", [], 2 ** 31 - 1],
])("%s has the letters of %j at %j", (haystack, needle, indices, score) => {
  expect(fuzzyMatch(haystack, needle)).toEqual({ indices, score });
});

test.each([
  ["abc", "acb"],
  ["", "a"],
  ["ab", "abb"],
])("%j does not have the letters of %j in order", (haystack, needle) => {
  expect(fuzzyMatch(haystack, needle)).toBeUndefined();
});
