/**
 * Returns how often a test repeats its case: all of `full` in `npm run test:heavy`, which sets
 * `QUIRE_FULL_COUNTS`, and a part of it in `npm test`, so that the suite stays under four minutes.
 */
export function repeats(full: number, part: number): number {
  return isFull ? full : part;
}

/** True in `npm run test:heavy`: cases that differ only in size or surface run in full there. */
export const isFull = process.env.QUIRE_FULL_COUNTS === "1";
