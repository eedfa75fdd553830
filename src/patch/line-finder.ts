import { MAX_LINE_COMPARISONS } from "./limits.js";

/** Options for {@link LineFinder.find}. */
export interface SeekOptions {
  /** Index of the first line to search. */
  start: number;
  /** Match only at the end of the file. */
  atEnd?: boolean;
  /** With `atEnd`: the match may start before `start`, as it could with `lf` line endings. */
  mayOverlap?: boolean;
}

/** From strict to tolerant. The next form is tried only if the whole run was not found. */
const FORMS: ((line: string) => string)[] = [
  (line) => line,
  (line) => line.trimEnd(),
  (line) => line.trim(),
  (line) => toAscii(line.trim()),
];

/** The lines of a file in one form: as numbers, with the indexes of each number. */
interface IndexedLines {
  numbers: Map<string, number>;
  lines: number[];
  /** By number, in ascending order. */
  places: number[][];
}

/**
 * Finds runs of lines in a file: exactly, then with increasing tolerance.
 *
 * Lines are compared as numbers, looked up by the first line of the run, and all searches in one
 * file share a budget, so an adversarial patch costs at most a few tenths of a second.
 */
export class LineFinder {
  /** The budget is used up: a run that was not found may still exist. */
  exhausted = false;

  readonly #lines: readonly string[];
  readonly #indexes = new Map<(line: string) => string, IndexedLines>();
  #budget = MAX_LINE_COMPARISONS;

  constructor(lines: readonly string[]) {
    this.#lines = lines;
  }

  /** Returns the index of the first matching line. */
  find(pattern: readonly string[], { start, atEnd, mayOverlap }: SeekOptions): number | undefined {
    if (pattern.length === 0) return start;
    const last = this.#lines.length - pattern.length;
    if (last < 0) return undefined;
    const first = atEnd ? (mayOverlap ? last : Math.max(last, start)) : start;
    for (const form of FORMS) {
      const index = this.#findIn(form, pattern, first, last);
      if (index !== undefined || this.exhausted) return index;
    }
    return undefined;
  }

  #findIn(form: (line: string) => string, pattern: readonly string[], first: number, last: number) {
    const index = this.#indexOf(form);
    const wanted = pattern.map((line) => index.numbers.get(form(line)) ?? -1);
    const places = index.places[wanted[0] ?? -1];
    if (!places || wanted.includes(-1)) return undefined;
    for (let next = firstAtLeast(places, first); next < places.length; next++) {
      const place = places[next] as number;
      if (place > last) return undefined;
      let length = 1;
      while (length < wanted.length && index.lines[place + length] === wanted[length]) length++;
      if (length === wanted.length) return place;
      this.#budget -= length;
      if (this.#budget < 0) {
        this.exhausted = true;
        return undefined;
      }
    }
    return undefined;
  }

  #indexOf(form: (line: string) => string): IndexedLines {
    const known = this.#indexes.get(form);
    if (known) return known;
    const index: IndexedLines = { numbers: new Map(), lines: [], places: [] };
    for (const [place, line] of this.#lines.entries()) {
      const text = form(line);
      const number = index.numbers.get(text) ?? index.numbers.size;
      index.numbers.set(text, number);
      index.lines.push(number);
      const places = index.places[number];
      if (places) places.push(place);
      else index.places.push([place]);
    }
    this.#indexes.set(form, index);
    return index;
  }
}

function firstAtLeast(sorted: readonly number[], value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] as number) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Replaces typographic dashes, quotes and spaces, for which models write ASCII. */
function toAscii(line: string): string {
  return line
    .replace(/[\u2010-\u2015\u2212]/g, "-")
    .replace(/[\u2018-\u201b]/g, "'")
    .replace(/[\u201c-\u201f]/g, '"')
    .replace(/[\u00a0\u2002-\u200a\u202f\u205f\u3000]/g, " ");
}
