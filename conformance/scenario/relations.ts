import { isDeepStrictEqual } from "node:util";

/** Relation that may be expected of a fact, or of each entry of a list. */
export interface Relation {
  holds(actual: unknown, expected: unknown): boolean;
  /** It is about a list as such, not about its entries. */
  ofList?: true;
}

/** Equality of a fact and the expected value. */
export const equality: Relation = { holds: isDeepStrictEqual, ofList: true };

const containing: Relation = {
  holds: (actual, expected) => listOf(expected).every((part) => isIn(actual, part)),
};
const lacking: Relation = {
  holds: (actual, expected) =>
    !listOf(actual).some((entry) => listOf(expected).some((part) => isIn(entry, part))),
  ofList: true,
};
const beginning: Relation = {
  holds: (actual, expected) =>
    Array.isArray(actual)
      ? isDeepStrictEqual(actual.slice(0, listOf(expected).length), listOf(expected))
      : String(actual).startsWith(String(expected)),
  ofList: true,
};
const ending: Relation = {
  holds: (actual, expected) =>
    Array.isArray(actual)
      ? isDeepStrictEqual(actual.slice(-listOf(expected).length), listOf(expected))
      : String(actual).endsWith(String(expected)),
  ofList: true,
};
const atLeast: Relation = {
  holds: (actual, expected) => sizeOf(actual) >= Number(expected),
  ofList: true,
};
const atMost: Relation = {
  holds: (actual, expected) => sizeOf(actual) <= Number(expected),
  ofList: true,
};
const sized: Relation = { holds: (actual, expected) => sizeOf(actual) === expected, ofList: true };

/** Every relation by the suffix of an expectation's name; longer suffixes come before shorter ones. */
export const relations: Readonly<Record<string, Relation>> = {
  _not_contains: lacking,
  _not_contain: lacking,
  _excludes: lacking,
  _contains_all: containing,
  _contains: containing,
  _contain: containing,
  _contains_any: {
    holds: (actual, expected) => listOf(expected).some((part) => isIn(actual, part)),
  },
  _starts_with: beginning,
  _start_with: beginning,
  _prefix: beginning,
  _ends_with: ending,
  _end_with: ending,
  _suffix: ending,
  _tail: ending,
  _equals: { holds: isDeepStrictEqual },
  _at_least: atLeast,
  _min: atLeast,
  _at_most: atMost,
  _max: atMost,
  _len: sized,
  _length: sized,
  _count: sized,
  _matches: { holds: (actual, expected) => new RegExp(String(expected)).test(String(actual)) },
  "": equality,
};

/** A list as it is, anything else as the only entry of one. */
export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [value];
}

function isIn(actual: unknown, part: unknown): boolean {
  return typeof actual === "string"
    ? actual.includes(String(part))
    : isDeepStrictEqual(actual, part);
}

function sizeOf(value: unknown): number {
  return Array.isArray(value) || typeof value === "string" ? value.length : Number(value);
}
