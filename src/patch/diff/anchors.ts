import type { LineEdit } from "./line-edits.js";

/** A line of both texts: its index in the old one and in the new one. */
export type Anchor = [oldIndex: number, newIndex: number];

/**
 * Finds lines that occur exactly once in each of two stretches, as many as can be had in the same
 * order in both. They surely belong together, and what lies between them can be compared alone.
 */
export function commonUniqueLines(a: Int32Array, b: Int32Array, range: LineEdit): Anchor[] {
  const inNew = uniqueLines(b, range.newStart, range.newEnd);
  const inOld = uniqueLines(a, range.oldStart, range.oldEnd);
  const pairs: Anchor[] = [];
  for (const [line, oldIndex] of inOld) {
    const newIndex = inNew.get(line);
    if (oldIndex >= 0 && newIndex !== undefined && newIndex >= 0) pairs.push([oldIndex, newIndex]);
  }
  pairs.sort((left, right) => left[0] - right[0]);
  return longestRise(pairs);
}

/** Lines by where they occur; -1 for those that occur more than once. */
function uniqueLines(lines: Int32Array, start: number, end: number): Map<number, number> {
  const places = new Map<number, number>();
  for (let index = start; index < end; index++) {
    const line = lines[index] as number;
    places.set(line, places.has(line) ? -1 : index);
  }
  return places;
}

/** The longest part of the pairs whose new indexes rise too, found by patience sorting. */
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
