import { expect, test } from "vitest";
import { parsePattern } from "../../src/search/pattern.js";

const word = { kind: "fuzzy", negated: false, exactCase: false };

test.each([
  ["", []],
  ["   ", []],
  ["main", [{ ...word, text: "main" }]],
  [
    "  two  words ",
    [
      { ...word, text: "two" },
      { ...word, text: "words" },
    ],
  ],
  ["^src", [{ ...word, kind: "prefix", text: "src" }]],
  [".ts$", [{ ...word, kind: "suffix", text: ".ts" }]],
  ["^a.ts$", [{ ...word, kind: "whole", text: "a.ts" }]],
  ["'main", [{ ...word, kind: "substring", text: "main" }]],
  ["!test", [{ ...word, kind: "substring", negated: true, text: "test" }]],
  ["!^test", [{ ...word, kind: "prefix", negated: true, text: "test" }]],
  ["!.md$", [{ ...word, kind: "suffix", negated: true, text: ".md" }]],
  ["a\\ b", [{ ...word, text: "a b" }]],
  ["\\^a", [{ ...word, text: "^a" }]],
  ["a\\$", [{ ...word, text: "a$" }]],
  ["Café", [{ ...word, text: "cafe" }]],
])("%j is read as %j", (query, words) => {
  expect(parsePattern(query, { smartCase: false })).toEqual(words);
});

test.each([
  ["main", "main", false],
  ["Main", "Main", true],
  ["mAIN", "mAIN", true],
])("with smart case, %j is searched as %j, matching case: %j", (query, text, exactCase) => {
  expect(parsePattern(query, { smartCase: true })).toEqual([{ ...word, text, exactCase }]);
});
