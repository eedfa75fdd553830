/**
 * Returns how often a test repeats its case: all of `full` in `npm run test:heavy`, which sets
 * `QUIRE_FULL_COUNTS`, and a part of it in `npm test`, so that the suite stays under four minutes.
 */
export function repeats(full: number, part: number): number {
  return process.env.QUIRE_FULL_COUNTS === "1" ? full : part;
}
