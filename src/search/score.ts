import { bonusOf, boundaryBonus, type CharClass, charClasses, classOf } from "./char-class.js";

/** A text to search, in the same case as the needle. */
export interface Haystack {
  text: string;
  /** Bonus per character; see `bonusesOf`. */
  bonuses: Uint8Array;
}

/** Score of a text that does not match; a match scores higher. */
export const noMatch = -1;

const perMatch = 16;
export const gapStart = 3;
export const gapMore = 1;
const consecutive = 4;
const firstFactor = 2;

/** Computes the bonus of a match that starts at each character; `plain` is in its original case. */
export function bonusesOf(plain: string): Uint8Array {
  const bonuses = new Uint8Array(plain.length);
  let before: CharClass = charClasses.delimiter; // a path starts as if after a slash
  for (let index = 0; index < plain.length; index++) {
    const at = classOf(plain.charCodeAt(index));
    bonuses[index] = bonusOf(before, at);
    before = at;
  }
  return bonuses;
}

/** Returns the score of a contiguous match. */
export function scoreRange({ bonuses }: Haystack, start: number, length: number): number {
  let run = bonuses[start] ?? 0;
  let score = run * firstFactor + perMatch;
  for (let index = start + 1; index < start + length; index++) {
    const bonus = bonuses[index] ?? 0;
    run = runBonus(run, bonus);
    score += perMatch + Math.max(run, bonus);
  }
  return score;
}

/**
 * Scores the best match of a needle's characters in order, with gaps. Characters that start words
 * or follow each other score highest.
 *
 * Reuses its buffers, because a search scores very many texts.
 */
export class FuzzyScorer {
  /** Per position: the score of the current character of the needle there. */
  scores = new Uint16Array(256);
  /** 1 where the best score has the previous character directly before. */
  follows = new Uint8Array(256);
  /** Per matched position: the bonus of a next character that follows directly. */
  #runs = new Uint8Array(256);
  /** First and last possible position of each character of the needle. */
  #first = new Uint16Array(64);
  #last = new Uint16Array(64);
  #onRow: ((first: number, last: number) => void) | undefined;

  /** `onRow` is called after each row is computed, to recover the positions. */
  constructor(onRow?: (first: number, last: number) => void) {
    this.#onRow = onRow;
  }

  /** Returns the score, or `noMatch` if a character is missing. */
  score(haystack: Haystack, needle: string): number {
    const { text, bonuses } = haystack;
    if (text.length > longest || !this.#findPositions(text, needle)) return noMatch;
    if (this.scores.length < text.length) this.#grow(text.length);
    const end = this.#last[0] ?? 0;
    const wanted = needle.charCodeAt(0);
    for (let column = this.#first[0] ?? 0; column <= end; column++) {
      const bonus = bonuses[column] ?? 0;
      this.scores[column] = text.charCodeAt(column) === wanted ? bonus * firstFactor + perMatch : 0;
      this.#runs[column] = bonus;
    }
    this.#onRow?.(this.#first[0] ?? 0, end);
    for (let row = 1; row < needle.length; row++) this.#nextRow(haystack, needle, row);
    return this.#best(needle.length - 1);
  }

  /** Computes the scores of the next character of the needle. */
  #nextRow({ text, bonuses }: Haystack, needle: string, row: number): void {
    const { scores, follows } = this;
    const runs = this.#runs;
    const wanted = needle.charCodeAt(row);
    const from = this.#first[row] ?? 0;
    const end = this.#last[row] ?? 0;
    const known = this.#last[row - 1] ?? 0;
    let gap = 0; // best score before this column, less the cost of the gap
    let score = 0; // of the previous column, in the previous row
    let run = 0;
    for (let column = this.#first[row - 1] ?? 0; column <= end; column++) {
      const ownScore = column <= known ? (scores[column] ?? 0) : 0;
      const ownRun = runs[column] ?? 0;
      let next = 0;
      if (column >= from && text.charCodeAt(column) === wanted) {
        const bonus = bonuses[column] ?? 0;
        const longer = runBonus(run, bonus);
        const afterGap = gap + bonus;
        const afterMatch = score === 0 ? 0 : score + Math.max(longer, bonus);
        const isConsecutive = afterMatch > afterGap;
        next = perMatch + (isConsecutive ? afterMatch : afterGap);
        runs[column] = isConsecutive ? longer : bonus;
        follows[column] = isConsecutive ? 1 : 0;
      }
      scores[column] = next;
      gap = gap > gapMore ? gap - gapMore : 0;
      if (score - gapStart > gap) gap = score - gapStart;
      score = ownScore;
      run = ownRun;
    }
    this.#onRow?.(from, end);
  }

  #best(row: number): number {
    let best = 0;
    const end = this.#last[row] ?? 0;
    for (let column = this.#first[row] ?? 0; column <= end; column++) {
      const score = this.scores[column] ?? 0;
      if (score > best) best = score;
    }
    return best;
  }

  #findPositions(text: string, needle: string): boolean {
    if (this.#first.length < needle.length) {
      this.#first = new Uint16Array(needle.length * 2);
      this.#last = new Uint16Array(needle.length * 2);
    }
    let from = 0;
    for (let index = 0; index < needle.length; index++) {
      const position = text.indexOf(needle.charAt(index), from);
      if (position === -1) return false;
      this.#first[index] = position;
      from = position + 1;
    }
    let before = text.length;
    for (let index = needle.length - 1; index >= 0; index--) {
      before = text.lastIndexOf(needle.charAt(index), before - 1);
      this.#last[index] = before;
    }
    return true;
  }

  #grow(length: number): void {
    this.scores = new Uint16Array(length * 2);
    this.follows = new Uint8Array(length * 2);
    this.#runs = new Uint8Array(length * 2);
  }
}

/** Longer than any path. */
const longest = 32_768;

function runBonus(run: number, bonus: number): number {
  const longer = Math.max(run, consecutive);
  return bonus >= boundaryBonus && bonus > longer ? bonus : longer;
}
