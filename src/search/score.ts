import { bonusOf, boundaryBonus, type CharClass, charClasses, classOf } from "./char-class.js";

/** A text in which a needle is looked for, in the same case as the needle. */
export interface Haystack {
  text: string;
  /** How good it is to begin a match at each character; see `bonusesOf`. */
  bonuses: Uint8Array;
}

/** What is told of a text in which something is missing; a match is worth more. */
export const noMatch = -1;

const perMatch = 16;
export const gapStart = 3;
export const gapMore = 1;
const consecutive = 4;
const firstFactor = 2;

/** How good it is to begin a match at each character of a text as it was written. */
export function bonusesOf(plain: string): Uint8Array {
  const bonuses = new Uint8Array(plain.length);
  let before: CharClass = charClasses.delimiter; // a path begins as if behind a slash
  for (let index = 0; index < plain.length; index++) {
    const at = classOf(plain.charCodeAt(index));
    bonuses[index] = bonusOf(before, at);
    before = at;
  }
  return bonuses;
}

/** How good a match is that goes over these characters without a gap. */
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
 * Finds a needle's characters in their order, with others between them, in the best way there is:
 * words that begin with them, and characters that follow each other, count most.
 *
 * It keeps its rows from one text to the next: a search looks at very many.
 */
export class FuzzyScorer {
  /** For each place of the text: how good it is to be there with the character looked at now. */
  scores = new Uint16Array(256);
  /** 1 where that is best when the character before stands right before it. */
  follows = new Uint8Array(256);
  /** For each place that is matched: what the next character gets when it follows at once. */
  #runs = new Uint8Array(256);
  /** Where each character of the needle can be, at the earliest and at the latest. */
  #first = new Uint16Array(64);
  #last = new Uint16Array(64);
  #onRow: ((first: number, last: number) => void) | undefined;

  /** `onRow` is told of each row while it is there, for those who want to know the places. */
  constructor(onRow?: (first: number, last: number) => void) {
    this.#onRow = onRow;
  }

  /** The score, or `noMatch` when a character is missing. */
  score(haystack: Haystack, needle: string): number {
    const { text, bonuses } = haystack;
    if (text.length > longest || !this.#findPlaces(text, needle)) return noMatch;
    if (this.scores.length < text.length) this.#grow(text.length);
    const end = this.#last[0] ?? 0;
    const wanted = needle.charCodeAt(0);
    for (let column = this.#first[0] ?? 0; column <= end; column++) {
      const bonus = bonuses[column] ?? 0;
      this.scores[column] = text.charCodeAt(column) === wanted ? bonus * firstFactor + perMatch : 0;
      this.#runs[column] = bonus;
    }
    this.#onRow?.(this.#first[0] ?? 0, end);
    for (let row = 1; row < needle.length; row++) this.#goOn(haystack, needle, row);
    return this.#best(needle.length - 1);
  }

  /** Turns the scores of one character of the needle into those of the next. */
  #goOn({ text, bonuses }: Haystack, needle: string, row: number): void {
    const { scores, follows } = this;
    const runs = this.#runs;
    const wanted = needle.charCodeAt(row);
    const from = this.#first[row] ?? 0;
    const end = this.#last[row] ?? 0;
    const known = this.#last[row - 1] ?? 0;
    let gap = 0; // what is left of the best score behind a gap that ends before this column
    let score = 0; // of the column before, in the row before
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
        const goesOn = afterMatch > afterGap;
        next = perMatch + (goesOn ? afterMatch : afterGap);
        runs[column] = goesOn ? longer : bonus;
        follows[column] = goesOn ? 1 : 0;
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

  #findPlaces(text: string, needle: string): boolean {
    if (this.#first.length < needle.length) {
      this.#first = new Uint16Array(needle.length * 2);
      this.#last = new Uint16Array(needle.length * 2);
    }
    let from = 0;
    for (let index = 0; index < needle.length; index++) {
      const place = text.indexOf(needle.charAt(index), from);
      if (place === -1) return false;
      this.#first[index] = place;
      from = place + 1;
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

/** No system has longer paths. */
const longest = 32_768;

function runBonus(run: number, bonus: number): number {
  const longer = Math.max(run, consecutive);
  return bonus >= boundaryBonus && bonus > longer ? bonus : longer;
}
