import type { Word } from "./pattern.js";
import { fuzzyPlaces } from "./places.js";
import { type FuzzyScorer, type Haystack, noMatch, scoreRange } from "./score.js";

/** A text that is searched, in the forms that words are compared with. */
export interface SearchText {
  plain: string;
  /** Without case and accents. */
  folded: string;
  bonuses: Uint8Array;
}

/** How well a text fits all words of a query, or `noMatch`. */
export function scoreWords(scorer: FuzzyScorer, text: SearchText, words: readonly Word[]): number {
  let sum = 0;
  for (const word of words) {
    const score = scoreWord(scorer, text, word);
    if ((score === noMatch) !== word.negated) return noMatch;
    if (!word.negated) sum += score;
  }
  return sum;
}

/** The characters of a text that stand for those of the words, in order. */
export function placesOf(text: SearchText, words: readonly Word[]): number[] {
  const places = words
    .filter(({ negated }) => !negated)
    .flatMap((word) => {
      const haystack = haystackFor(text, word);
      if (word.kind === "fuzzy") return fuzzyPlaces(haystack, word.text);
      const start = startOf(haystack, word);
      return Array.from({ length: word.text.length }, (_, index) => start + index);
    });
  return [...new Set(places)].sort((a, b) => a - b);
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

/** Where a word without gaps stands; -1 when it does not. */
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
