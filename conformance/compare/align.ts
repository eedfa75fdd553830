/**
 * Pairs the items of two lists so that as many equal ones as possible are side by side.
 *
 * A pair with one side `undefined` is an item that the other list lacks at that position.
 */
export function align(
  left: string[],
  right: string[],
): [left: number | undefined, right: number | undefined][] {
  const lengths = commonLengths(left, right);
  const pairs: [number | undefined, number | undefined][] = [];
  let i = 0;
  let j = 0;
  while (i < left.length || j < right.length) {
    if (i < left.length && j < right.length && left[i] === right[j]) {
      pairs.push([i++, j++]);
    } else if (
      j >= right.length ||
      (i < left.length && below(lengths, i, j) >= beside(lengths, i, j))
    ) {
      pairs.push([i++, undefined]);
    } else {
      pairs.push([undefined, j++]);
    }
  }
  return pairs;
}

/** `lengths[i][j]`: how many items the rests from `i` and `j` on have in common. */
function commonLengths(left: string[], right: string[]): Uint32Array[] {
  const lengths = Array.from({ length: left.length + 1 }, () => new Uint32Array(right.length + 1));
  for (let i = left.length - 1; i >= 0; i--) {
    const row = lengths[i] as Uint32Array;
    for (let j = right.length - 1; j >= 0; j--) {
      row[j] =
        left[i] === right[j]
          ? (lengths[i + 1]?.[j + 1] ?? 0) + 1
          : Math.max(below(lengths, i, j), beside(lengths, i, j));
    }
  }
  return lengths;
}

function below(lengths: Uint32Array[], i: number, j: number): number {
  return lengths[i + 1]?.[j] ?? 0;
}

function beside(lengths: Uint32Array[], i: number, j: number): number {
  return lengths[i]?.[j + 1] ?? 0;
}
