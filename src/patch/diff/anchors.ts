import type { LineEdit } from "./line-edits.js";

/** A line that both texts share: its old and its new index. */
export type Anchor = [oldIndex: number, newIndex: number];

/** Try single lines first; if all of them repeat, runs of two, four and eight lines. */
const MAX_DOUBLINGS = 3;
/** Two run numbers below this fit into one exact number. */
const MAX_RUNS = 2 ** 26;

/**
 * Finds lines that two texts share, so that the parts between them can be compared separately.
 * Lines are numbers; equal lines have equal numbers.
 */
export class AnchorSearch {
  readonly #runs: { a: Int32Array; b: Int32Array }[];
  readonly #maxDoublings: number;

  constructor(a: Int32Array, b: Int32Array) {
    this.#runs = [{ a, b }];
    this.#maxDoublings = a.length + b.length < MAX_RUNS ? MAX_DOUBLINGS : 0;
  }

  /** Finds the longest list of anchors that has the same order in both ranges. */
  findAnchors(range: LineEdit): Anchor[] {
    for (let doublings = 0; doublings <= this.#maxDoublings; doublings++) {
      const runs = this.#runsOf(doublings);
      const anchors = longestRise(commonUniqueRuns(runs.a, runs.b, range));
      if (anchors.length > 0) return anchors;
    }
    return [];
  }

  /** Returns a number for the run of lines that starts at each line. */
  #runsOf(doublings: number): { a: Int32Array; b: Int32Array } {
    const known = this.#runs[doublings];
    if (known) return known;
    const { a, b } = this.#runsOf(doublings - 1);
    const reach = 2 ** (doublings - 1);
    const numbers = new Map<number, number>();
    const runs = { a: joinRuns(a, reach, numbers), b: joinRuns(b, reach, numbers) };
    this.#runs[doublings] = runs;
    return runs;
  }
}

function joinRuns(runs: Int32Array, reach: number, numbers: Map<number, number>): Int32Array {
  const joined = new Int32Array(runs.length);
  for (let index = 0; index < runs.length; index++) {
    const key = (runs[index] as number) * MAX_RUNS + (runs[index + reach] ?? MAX_RUNS - 1);
    const number = numbers.get(key) ?? numbers.size;
    numbers.set(key, number);
    joined[index] = number;
  }
  return joined;
}

function commonUniqueRuns(a: Int32Array, b: Int32Array, range: LineEdit): Anchor[] {
  const inNew = uniqueRuns(b, range.newStart, range.newEnd);
  const inOld = uniqueRuns(a, range.oldStart, range.oldEnd);
  const pairs: Anchor[] = [];
  for (const [run, oldIndex] of inOld) {
    const newIndex = inNew.get(run);
    if (oldIndex >= 0 && newIndex !== undefined && newIndex >= 0) pairs.push([oldIndex, newIndex]);
  }
  return pairs.sort((left, right) => left[0] - right[0]);
}

/** Returns the start of each run; -1 if it occurs more than once. */
function uniqueRuns(runs: Int32Array, start: number, end: number): Map<number, number> {
  const places = new Map<number, number>();
  for (let index = start; index < end; index++) {
    const run = runs[index] as number;
    places.set(run, places.has(run) ? -1 : index);
  }
  return places;
}

/** Returns the longest subsequence with increasing new indexes (patience sorting). */
function longestRise(pairs: readonly Anchor[]): Anchor[] {
  const tops: number[] = [];
  const before = new Int32Array(pairs.length).fill(-1);
  for (const [index, pair] of pairs.entries()) {
    let low = 0;
    let high = tops.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pairs[tops[middle] as number] as Anchor)[1] < pair[1]) low = middle + 1;
      else high = middle;
    }
    if (low > 0) before[index] = tops[low - 1] as number;
    tops[low] = index;
  }
  const rise: Anchor[] = [];
  for (let index = tops.at(-1) ?? -1; index >= 0; index = before[index] as number) {
    rise.push(pairs[index] as Anchor);
  }
  return rise.reverse();
}
