/** A part of a line: its start and the offset after its end. */
export type Range = [start: number, end: number];

/**
 * Returns the words of two lines that differ, as ranges of each.
 *
 * Returns undefined for lines that are very long or have little in common: marking most of a line
 * helps nobody.
 */
export function wordRanges(one: string, other: string): [Range[], Range[]] | undefined {
  const [left, right] = [words(one), words(other)];
  if (left.length * right.length > mostPairs) return undefined;
  const [keptLeft, keptRight] = commonWords(left, right);
  const same = [...keptLeft].reduce((sum, at) => sum + (left[at] ?? "").trim().length, 0);
  if (same < Math.min(one.trim().length, other.trim().length) / 3) return undefined;
  return [rangesOf(left, keptLeft), rangesOf(right, keptRight)];
}

const mostPairs = 60_000;

/** Words, spaces and single signs. */
function words(line: string): string[] {
  return line.match(/[\p{L}\p{N}_]+|\s+|./gu) ?? [];
}

/** Returns the positions of a longest common sequence of words in both. */
function commonWords(left: string[], right: string[]): [Set<number>, Set<number>] {
  const width = right.length + 1;
  const lengths = new Uint16Array((left.length + 1) * width);
  const at = (row: number, column: number) => lengths[row * width + column] ?? 0;
  for (let row = left.length - 1; row >= 0; row--) {
    for (let column = right.length - 1; column >= 0; column--) {
      lengths[row * width + column] =
        left[row] === right[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  const kept: [Set<number>, Set<number>] = [new Set(), new Set()];
  let [row, column] = [0, 0];
  while (row < left.length && column < right.length) {
    if (left[row] === right[column]) {
      kept[0].add(row++);
      kept[1].add(column++);
    } else if (at(row + 1, column) >= at(row, column + 1)) row++;
    else column++;
  }
  return kept;
}

/** Returns the ranges of the words that are not kept; ranges with only spaces between are joined. */
function rangesOf(line: readonly string[], kept: ReadonlySet<number>): Range[] {
  const ranges: Range[] = [];
  let offset = 0;
  let isJoinable = false;
  for (const [at, word] of line.entries()) {
    const end = offset + word.length;
    const last = ranges.at(-1);
    if (!kept.has(at)) {
      if (last !== undefined && isJoinable) last[1] = end;
      else ranges.push([offset, end]);
      isJoinable = true;
    } else if (word.trim() !== "") isJoinable = false;
    offset = end;
  }
  return ranges;
}
