import fc from "fast-check";
import { expect, test } from "vitest";
import { bonusesOf, FuzzyScorer, noMatch, scoreRange } from "../../src/search/score.js";

function score(text: string, needle: string): number {
  return new FuzzyScorer().score({ text: text.toLowerCase(), bonuses: bonusesOf(text) }, needle);
}

/** The score of a match at given positions, by the rules alone: 16 each, less 3 and 1 for gaps. */
function scoreAt(bonuses: Uint8Array, positions: readonly number[]): number {
  let total = 0;
  let run = 0;
  let gap = 0;
  for (const [index, position] of positions.entries()) {
    const bonus = bonuses[position] ?? 0;
    const before = positions[index - 1];
    if (before === undefined) {
      total = 16 + 2 * bonus;
      run = bonus;
    } else if (position === before + 1) {
      const longer = Math.max(run, 4);
      run = bonus >= 8 && bonus > longer ? bonus : longer;
      total += 16 + Math.max(run, bonus);
    } else {
      gap = position - before - 1;
      total = Math.max(0, total - 3 - (gap - 1)) + 16 + bonus;
      run = bonus;
    }
  }
  return total;
}

function* placements(text: string, needle: string, from = 0): Generator<number[]> {
  if (needle === "") yield [];
  for (let at = text.indexOf(needle.charAt(0), from); needle !== "" && at !== -1; ) {
    for (const rest of placements(text, needle.slice(1), at + 1)) yield [at, ...rest];
    at = text.indexOf(needle.charAt(0), at + 1);
  }
}

test.each([
  ["abc", "x"],
  ["abc", "ba"],
  ["", "a"],
  ["aab", "aabb"],
])("%j has no match for %j", (text, needle) => {
  expect(score(text, needle)).toBe(noMatch);
});

test.each([
  ["words that start with the letters", "foo/bar.ts", "foobar.ts", "fb"],
  ["letters that follow each other", "xabc", "xaxbxc", "abc"],
  ["the start of a path", "main.ts", "remain.ts", "main"],
  ["a capital letter in a name", "fooBar", "foobar", "b"],
  ["a shorter gap", "a-xb", "a-xxxxb", "ab"],
])("%s score higher", (_, better, worse, needle) => {
  expect(score(better, needle)).toBeGreaterThan(score(worse, needle));
});

test("the score is at least that of every placement of the letters", () => {
  const text = fc.stringMatching(/^[abA/._ ]{1,12}$/);
  const needle = fc.stringMatching(/^[ab]{1,3}$/);
  fc.assert(
    fc.property(text, needle, (path, wanted) => {
      const bonuses = bonusesOf(path);
      const folded = path.toLowerCase();
      const all = [...placements(folded, wanted)].map((at) => scoreAt(bonuses, at));
      const found = new FuzzyScorer().score({ text: folded, bonuses }, wanted);
      if (all.length === 0) expect(found).toBe(noMatch);
      else expect(found).toBeGreaterThanOrEqual(Math.max(...all));
    }),
    { numRuns: 500 },
  );
});

test("a contiguous match scores the same by both ways", () => {
  fc.assert(
    fc.property(
      fc.stringMatching(/^[a-c/]{2,10}$/),
      fc.nat(8),
      fc.integer({ min: 1, max: 4 }),
      (text, from, length) => {
        fc.pre(from + length <= text.length);
        const bonuses = bonusesOf(text);
        const positions = Array.from({ length }, (_, index) => from + index);
        expect(scoreRange({ text, bonuses }, from, length)).toBe(scoreAt(bonuses, positions));
      },
    ),
  );
});

test("a scorer can be used for texts and needles of any length, one after another", () => {
  const scorer = new FuzzyScorer();
  const of = (text: string, needle: string) =>
    scorer.score({ text, bonuses: bonusesOf(text) }, needle);
  const long = `${"x/".repeat(400)}needle`;
  expect(of("needle", "needle")).toBe(score("needle", "needle"));
  expect(of(long, "needle")).toBe(score(long, "needle"));
  expect(of(`${"a".repeat(100)}`, "a".repeat(90))).toBe(score("a".repeat(100), "a".repeat(90)));
  expect(of("needle", "nd")).toBe(score("needle", "nd"));
});

test("a text longer than any path has no match", () => {
  const text = "a".repeat(32_769);
  expect(score(text, "a")).toBe(noMatch);
  expect(score(text.slice(1), "a")).toBeGreaterThan(0);
});
