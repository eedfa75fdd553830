import type { Word } from "./pattern.js";
import { FuzzyScorer, gapMore, gapStart, type Haystack, noMatch, scoreRange } from "./score.js";

/** A text prepared for matching. */
export interface SearchText {
  plain: string;
  /** Without case and accents. */
  folded: string;
  bonuses: Uint8Array;
}

/** Returns the score of a text for all words of a query, or `noMatch`. */
export function scoreWords(scorer: FuzzyScorer, text: SearchText, words: readonly Word[]): number {
  let sum = 0;
  for (const word of words) {
    const score = scoreWord(scorer, text, word);
    if ((score === noMatch) !== word.negated) return noMatch;
    if (!word.negated) sum += score;
  }
  return sum;
}

/** Returns the positions of the matched characters, in ascending order. */
export function positionsOf(text: SearchText, words: readonly Word[]): number[] {
  const positions = words
    .filter(({ negated }) => !negated)
    .flatMap((word) => {
      const haystack = haystackFor(text, word);
      if (word.kind === "fuzzy") return fuzzyPositions(haystack, word.text);
      const start = startOf(haystack, word);
      return Array.from({ length: word.text.length }, (_, index) => start + index);
    });
  return [...new Set(positions)].sort((a, b) => a - b);
}

function scoreWord(scorer: FuzzyScorer, text: SearchText, word: Word): number {
  const haystack = haystackFor(text, word);
  if (word.kind === "fuzzy") return scorer.score(haystack, word.text);
  const start = startOf(haystack, word);
  return start === -1 ? noMatch : scoreRange(haystack, start, word.text.length);
}

function haystackFor({ plain, folded, bonuses }: SearchText, { exactCase }: Word): Haystack {
  return { text: exactCase ? plain : folded, bonuses };
}

/** Returns the position of a contiguous match, or -1. */
function startOf(haystack: Haystack, { kind, text: word }: Word): number {
  const { text } = haystack;
  if (kind === "prefix" || kind === "whole") {
    return text.startsWith(word) && (kind === "prefix" || text.length === word.length) ? 0 : -1;
  }
  if (kind === "suffix") return text.endsWith(word) ? text.length - word.length : -1;
  return bestSubstring(haystack, word);
}

function bestSubstring(haystack: Haystack, word: string): number {
  let best = -1;
  let bestScore = noMatch;
  let at = haystack.text.indexOf(word);
  for (; at !== -1; at = haystack.text.indexOf(word, at + 1)) {
    const score = scoreRange(haystack, at, word.length);
    if (score > bestScore) [best, bestScore] = [at, score];
  }
  return best;
}

/** Returns the positions of the needle's characters in the best-scoring match. */
function fuzzyPositions(haystack: Haystack, needle: string): number[] {
  const rows: Row[] = [];
  const scorer = new FuzzyScorer((first, last) => {
    const scores = scorer.scores.slice(first, last + 1);
    rows.push({ first, scores, follows: scorer.follows.slice(first, last + 1) });
  });
  scorer.score(haystack, needle);
  const positions: number[] = [];
  const end = rows.at(-1);
  let position = end === undefined ? 0 : bestPosition(end, needle.length);
  for (let row = rows.length - 1; row >= 0; row--) {
    positions.unshift(position);
    const [own, above] = [rows[row], rows[row - 1]];
    if (own === undefined || above === undefined) break;
    const follows = own.follows[position - own.first] === 1;
    position = follows ? position - 1 : beforeGap(above, position);
  }
  return positions;
}

/** The scores of one character of the needle, from its first possible position on. */
interface Row {
  first: number;
  scores: Uint16Array;
  follows: Uint8Array;
}

/** Picks the last of equal scores; the first for a needle of one character. */
function bestPosition({ first, scores }: Row, length: number): number {
  let best = 0;
  for (const [column, score] of scores.entries()) {
    const than = scores[best] ?? 0;
    if (score > than || (length > 1 && score === than)) best = column;
  }
  return first + best;
}

/** Returns the position of the previous character for which the gap costs least. */
function beforeGap({ first, scores }: Row, position: number): number {
  let gap = 0;
  let origin = 0;
  for (let column = 1; column < position - first; column++) {
    const begun = Math.max((scores[column - 1] ?? 0) - gapStart, 0);
    const longer = Math.max(gap - gapMore, 0);
    if (begun > longer) origin = column - 1;
    gap = Math.max(begun, longer);
  }
  return first + origin;
}
