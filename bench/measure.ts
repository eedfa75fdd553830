/** The middle of the values; a stray one does not move it. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const [low, high] = [sorted[middle - (sorted.length % 2 === 0 ? 1 : 0)], sorted[middle]];
  return ((low ?? 0) + (high ?? 0)) / 2;
}

/** The value below which this share of them lies. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** Milliseconds that some work takes. */
export async function timed(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Runs the works in turn, so many rounds, and returns the median of each: noise meets all alike. */
export async function interleaved(
  rounds: number,
  works: readonly (() => Promise<number>)[],
): Promise<number[]> {
  const results = works.map((): number[] => []);
  for (let round = 0; round < rounds; round++) {
    for (const [index, work] of works.entries()) results[index]?.push(await work());
  }
  return results.map(median);
}

/** The environment of measured programs: extra certificates cost every Node process 48 ms. */
export function neutralEnv(more: Record<string, string> = {}): Record<string, string> {
  return { PATH: process.env.PATH ?? "", ...more };
}
