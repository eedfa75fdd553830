import { isDeepStrictEqual } from "node:util";

/** Returns the difference between a value and the expected one, or nothing if they are equal. */
export function differs(actual: unknown, expected: unknown): string | undefined {
  if (isDeepStrictEqual(actual, expected)) return undefined;
  return `got ${JSON.stringify(actual)}, expected ${JSON.stringify(expected)}`;
}
