import { setImmediate as nextTurn } from "node:timers/promises";

/**
 * Splits a long loop into parts, so that other work of the process runs between them.
 *
 * The loop calls `next` whenever `isOver` is true.
 */
export class TimeSlice {
  #start = performance.now();

  /** True if the current part has run long enough. */
  get isOver(): boolean {
    return performance.now() - this.#start > sliceMs;
  }

  /** Lets other work run, and begins the next part. */
  async next(): Promise<void> {
    await nextTurn();
    this.#start = performance.now();
  }
}

const sliceMs = 8;

/** Returns sorted values, as `toSorted` does; other work runs meanwhile. */
export async function sortInSlices<T>(
  values: readonly T[],
  compare: (one: T, other: T) => number,
): Promise<T[]> {
  const slice = new TimeSlice();
  let runs: T[][] = [];
  for (let at = 0; at < values.length; at += runLength) {
    runs.push(values.slice(at, at + runLength).sort(compare));
    if (slice.isOver) await slice.next();
  }
  while (runs.length > 1) {
    const merged: T[][] = [];
    for (let at = 0; at < runs.length; at += 2) {
      merged.push(mergeSorted(runs[at] ?? [], runs[at + 1] ?? [], compare));
      if (slice.isOver) await slice.next();
    }
    runs = merged;
  }
  return runs[0] ?? [];
}

const runLength = 4096;

/** Merges sorted lists; of equal values those of the first list come first. */
export function mergeSorted<T>(
  first: readonly T[],
  second: readonly T[],
  compare: (one: T, other: T) => number,
): T[] {
  const merged: T[] = [];
  let at = 0;
  for (const value of second) {
    for (let next = first[at]; at < first.length; next = first[at]) {
      if (compare(next as T, value) > 0) break;
      merged.push(next as T);
      at++;
    }
    merged.push(value);
  }
  for (; at < first.length; at++) merged.push(first[at] as T);
  return merged;
}
