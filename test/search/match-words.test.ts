import fc from "fast-check";
import { expect, test } from "vitest";
import { foldText } from "../../src/search/folded-text.js";
import { positionsOf, type SearchText, scoreWords } from "../../src/search/match-words.js";
import { parsePattern } from "../../src/search/pattern.js";
import { bonusesOf, FuzzyScorer, noMatch } from "../../src/search/score.js";

function textOf(path: string): SearchText {
  const { plain, folded } = foldText(path);
  return { plain, folded, bonuses: bonusesOf(plain) };
}

function match(path: string, query: string, smartCase = false) {
  const words = parsePattern(query, { smartCase });
  const score = scoreWords(new FuzzyScorer(), textOf(path), words);
  return score === noMatch ? undefined : positionsOf(textOf(path), words);
}

test.each([
  ["src/main.ts", "main", [4, 5, 6, 7]],
  ["src/main.ts", "sm", [0, 4]],
  ["src/main.ts", "^src .ts$", [0, 1, 2, 8, 9, 10]],
  ["src/main.ts", "^main", undefined],
  ["src/main.ts", "main$", undefined],
  ["main", "^main$", [0, 1, 2, 3]],
  ["main.ts", "^main$", undefined],
  ["a/ab/abc", "'abc", [5, 6, 7]],
  ["xab/ab", "'ab", [4, 5]],
  ["src/main.ts", "!test", []],
  ["src/main.test.ts", "main !test", undefined],
  ["aaa", "a a", [0]],
])("%s for %j matches at %j", (path, query, positions) => {
  expect(match(path, query)).toEqual(positions);
});

test("with smart case, a capital letter in one word leaves the others tolerant", () => {
  expect(match("src/Main.ts", "SRC", true)).toBeUndefined();
  expect(match("src/Main.ts", "src Main", true)).toEqual([0, 1, 2, 4, 5, 6, 7]);
  expect(match("src/main.ts", "src Main", true)).toBeUndefined();
});

test("the score of several words is the sum of their scores", () => {
  const scorer = new FuzzyScorer();
  const text = textOf("src/lib/main.ts");
  const scoreOf = (query: string) =>
    scoreWords(scorer, text, parsePattern(query, { smartCase: false }));
  expect(scoreOf("lib main")).toBe(scoreOf("lib") + scoreOf("main"));
  expect(scoreOf("lib !test")).toBe(scoreOf("lib"));
});

test("positions spell the word, in ascending order", () => {
  fc.assert(
    fc.property(
      fc.stringMatching(/^[abc/.]{1,14}$/),
      fc.array(fc.nat(13), { minLength: 1, maxLength: 4 }),
      (path, picked) => {
        const at = [...new Set(picked)]
          .filter((index) => index < path.length)
          .sort((a, b) => a - b);
        const word = at.map((index) => path.charAt(index)).join("");
        fc.pre(/^[abc]+$/.test(word));
        const positions = match(path, word);
        expect(positions?.map((index) => path.charAt(index)).join("")).toBe(word);
        expect(positions).toEqual([...(positions ?? [])].sort((a, b) => a - b));
      },
    ),
  );
});
