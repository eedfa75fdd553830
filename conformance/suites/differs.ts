import { isDeepStrictEqual } from "node:util";

/** Says how a value differs from the one expected; nothing when they are equal. */
export function differs(actual: unknown, expected: unknown): string | undefined {
  if (isDeepStrictEqual(actual, expected)) return undefined;
  return `got ${JSON.stringify(actual)}, expected ${JSON.stringify(expected)}`;
}
