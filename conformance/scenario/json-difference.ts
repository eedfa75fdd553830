import { isDeepStrictEqual } from "node:util";
import { isRecord } from "../../src/protocol/read/check.js";

/** Matches any value in expected values. */
export const anything = "<any>";

/** Path at which a value differs from the expected one. */
export function differenceOf(expected: unknown, found: unknown, path = "it"): string | undefined {
  if (expected === anything) return found === undefined ? `${path} is missing` : undefined;
  if (isRecord(expected) && isRecord(found)) {
    const names = new Set([...Object.keys(expected), ...Object.keys(found)]);
    return firstOf(names, (name) => differenceOf(expected[name], found[name], `${path}.${name}`));
  }
  if (Array.isArray(expected) && Array.isArray(found) && expected.length === found.length) {
    return firstOf(expected.keys(), (index) =>
      differenceOf(expected[index], found[index], `${path}[${index}]`),
    );
  }
  if (isDeepStrictEqual(expected, found)) return undefined;
  return `${path} is ${JSON.stringify(found)}, expected ${JSON.stringify(expected)}`;
}

/** Returns the field of `part` that the value lacks; an absent part requires nothing. */
export function hasPart(part: unknown, found: unknown): string | undefined {
  if (part === undefined) return undefined;
  if (!isRecord(part) || !isRecord(found)) return differenceOf(part, found);
  return firstOf(Object.keys(part), (name) => differenceOf(part[name], found[name], name));
}

function firstOf<Item>(
  items: Iterable<Item>,
  check: (item: Item) => string | undefined,
): string | undefined {
  for (const item of items) {
    const difference = check(item);
    if (difference !== undefined) return difference;
  }
  return undefined;
}
