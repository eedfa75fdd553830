import { diff } from "fast-myers-diff";
import type { DiffRow } from "./diff.js";

/** A part of a line, from `start` up to but not including `end`. */
export type Range = readonly [start: number, end: number];

/** Longest line that is compared word by word. */
const longest = 500;

/**
 * Finds the words that differ between a removed line and the added line that replaces it, by row.
 *
 * Lines are paired in order. Lines with little in common are left out: all of them changed.
 */
export function changedWords(rows: readonly DiffRow[]): Map<DiffRow, readonly Range[]> {
  const ranges = new Map<DiffRow, readonly Range[]>();
  let at = 0;
  while (at < rows.length) {
    const removed = runOf(rows, at, "removed");
    const added = runOf(rows, at + removed.length, "added");
    for (const [index, before] of removed.entries()) {
      const after = added[index];
      const found = after === undefined ? undefined : compare(before.text, after.text);
      if (after === undefined || found === undefined) continue;
      ranges.set(before, found.before);
      ranges.set(after, found.after);
    }
    at += Math.max(1, removed.length + added.length);
  }
  return ranges;
}

type ChangedRow = DiffRow & { text: string };

function runOf(rows: readonly DiffRow[], from: number, kind: DiffRow["kind"]): ChangedRow[] {
  let end = from;
  while (rows[end]?.kind === kind) end += 1;
  return rows.slice(from, end) as ChangedRow[];
}

function compare(before: string, after: string) {
  if (Math.max(before.length, after.length) > longest) return undefined;
  const [old, fresh] = [wordsOf(before), wordsOf(after)];
  const changes = [...diff(old.words, fresh.words)];
  const ranges = {
    before: changes.flatMap(([start, end]) => rangeOf(old.starts, start, end)),
    after: changes.flatMap(([, , start, end]) => rangeOf(fresh.starts, start, end)),
  };
  const changed = [...ranges.before, ...ranges.after].reduce(
    (sum, [from, to]) => sum + to - from,
    0,
  );
  return changed * 3 > (before.length + after.length) * 2 ? undefined : ranges;
}

/** Splits a line into words, spaces and signs, with the position of each and of the end. */
function wordsOf(line: string): { words: string[]; starts: number[] } {
  const words = line.match(/[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu) ?? [];
  const starts = [0];
  for (const word of words) starts.push((starts.at(-1) ?? 0) + word.length);
  return { words, starts };
}

function rangeOf(starts: readonly number[], start: number, end: number): Range[] {
  return start === end ? [] : [[starts[start] ?? 0, starts[end] ?? 0]];
}
