const firstDelayMs = 200;

/** The longest wait that a timer of this platform can hold. */
const longestDelayMs = 2 ** 31 - 1;

/**
 * How long to wait before the given try, counted from 1.
 *
 * The delay doubles with each try; a tenth of chance either way keeps clients that failed together
 * from coming back together.
 */
export function backoffMs(attempt: number, random: () => number): number {
  const raw = firstDelayMs * 2 ** Math.max(0, attempt - 1);
  return Math.min(longestDelayMs, Math.floor(raw * (0.9 + 0.2 * random())));
}
