import { MAX_LINE_COMPARISONS } from "./limits.js";

/** Where to look for a run of lines. */
export interface SeekOptions {
  /** The first line that may be part of the match. */
  start: number;
  /** The match must be the last lines of the file. */
  atEnd?: boolean;
  /** With `atEnd`: the match may begin before `start`, as it could before line ends were kept. */
  mayOverlap?: boolean;
}

/** From strict to tolerant. A line is tried in the next form only when the whole run was not found. */
const FORMS: ((line: string) => string)[] = [
  (line) => line,
  (line) => line.trimEnd(),
  (line) => line.trim(),
  (line) => toAscii(line.trim()),
];

/**
 * Finds runs of lines in one file.
 *
 * Lines are compared as numbers, and all searches in one file share a budget, so a hostile patch
 * costs no more than some tenths of a second.
 */
export class LineFinder {
  /** The budget is used up: what was not found may yet be there. */
  exhausted = false;

  readonly #lines: readonly string[];
  readonly #ids: Map<string, number>[] = FORMS.map(() => new Map());
  readonly #forms: (Int32Array | undefined)[] = FORMS.map(() => undefined);
  #budget = MAX_LINE_COMPARISONS;

  constructor(lines: readonly string[]) {
    this.#lines = lines;
  }

  /** Returns the index of the first line of the match, or nothing. */
  find(pattern: readonly string[], { start, atEnd, mayOverlap }: SeekOptions): number | undefined {
    if (pattern.length === 0) return start;
    const last = this.#lines.length - pattern.length;
    if (last < 0) return undefined;
    const first = atEnd ? (mayOverlap ? last : Math.max(last, start)) : start;
    for (let form = 0; form < FORMS.length; form++) {
      const index = this.#findForm(form, pattern, first, last);
      if (index !== undefined || this.exhausted) return index;
    }
    return undefined;
  }

  #findForm(form: number, pattern: readonly string[], first: number, last: number) {
    const lines = this.#linesIn(form);
    const wanted = pattern.map((line) => this.#idOf(form, line));
    for (let index = first; index <= last; index++) {
      let length = 0;
      while (length < wanted.length && lines[index + length] === wanted[length]) length++;
      this.#budget -= length + 1;
      if (length === wanted.length) return index;
      if (this.#budget < 0) {
        this.exhausted = true;
        return undefined;
      }
    }
    return undefined;
  }

  #linesIn(form: number): Int32Array {
    const known = this.#forms[form];
    if (known) return known;
    const ids = Int32Array.from(this.#lines, (line) => this.#idOf(form, line));
    this.#forms[form] = ids;
    return ids;
  }

  #idOf(form: number, line: string): number {
    const ids = this.#ids[form] as Map<string, number>;
    const text = (FORMS[form] as (line: string) => string)(line);
    const known = ids.get(text);
    if (known !== undefined) return known;
    ids.set(text, ids.size);
    return ids.size - 1;
  }
}

/** Finds a run of lines: exactly, then by ever more tolerant comparison. */
export function seekSequence(
  lines: readonly string[],
  pattern: readonly string[],
  options: SeekOptions,
): number | undefined {
  return new LineFinder(lines).find(pattern, options);
}

/** Models write plain dashes, quotes and blanks where the file has typographic ones. */
function toAscii(line: string): string {
  return line
    .replace(/[\u2010-\u2015\u2212]/g, "-")
    .replace(/[\u2018-\u201b]/g, "'")
    .replace(/[\u201c-\u201f]/g, '"')
    .replace(/[\u00a0\u2002-\u200a\u202f\u205f\u3000]/g, " ");
}
