const firstDelayMs = 200;

/** Longest delay that `setTimeout` supports. */
const longestDelayMs = 2 ** 31 - 1;

/**
 * Returns the delay before an attempt, counted from 1.
 *
 * The delay doubles with each attempt; a jitter of ten percent keeps clients that failed together
 * from retrying together.
 */
export function backoffMs(attempt: number, random: () => number): number {
  const raw = firstDelayMs * 2 ** Math.max(0, attempt - 1);
  return Math.min(longestDelayMs, Math.floor(raw * (0.9 + 0.2 * random())));
}
