import { isDeepStrictEqual } from "node:util";

/** What is known of something, by name. A list is held against an expectation entry by entry. */
export type Facts = Record<string, unknown>;

/**
 * Holds facts against one expectation; returns what differs.
 *
 * The name of an expectation is made of up to three parts: how many entries of a list it is about
 * (`no_`, `a_`, `all_`), the name of the fact, and what is to hold of it (`_contains`, `_ends_with`,
 * `_at_least`…; without it, that it is equal): `instructions_contains`, `no_input_text_equals`.
 */
export function checkFact(facts: Facts, name: string, expected: unknown): string | undefined {
  const read = readName(facts, name);
  if (read === undefined) return `unknown expectation ${name}`;
  const { quantity, fact, holds } = read;
  const isRight = quantity(listOf(fact), expected, holds, fact);
  return isRight ? undefined : `${name}: expected ${show(expected)}, got ${show(fact)}`;
}

/** Says the first difference, if any. */
export function firstDifference(checks: Iterable<() => string | undefined>): string | undefined {
  for (const check of checks) {
    const difference = check();
    if (difference !== undefined) return difference;
  }
  return undefined;
}

/** A value in a line that stays readable. */
export function show(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 1500 ? `${text.slice(0, 1500)}…` : text;
}

type Holds = (actual: unknown, expected: unknown) => boolean;
type Quantity = (entries: unknown[], expected: unknown, holds: Holds, fact: unknown) => boolean;

function readName(facts: Facts, name: string) {
  if (Object.hasOwn(facts, name)) return { quantity: whole, fact: facts[name], holds: equal };
  for (const [prefix, quantity] of Object.entries(quantities)) {
    if (!name.startsWith(prefix)) continue;
    const rest = name.slice(prefix.length);
    const found = readFact(facts, rest);
    if (found !== undefined) return { quantity, ...found };
  }
  return undefined;
}

function readFact(facts: Facts, name: string) {
  for (const [suffix, holds] of Object.entries(relations)) {
    if (!name.endsWith(suffix)) continue;
    const stem = name.slice(0, name.length - suffix.length);
    const key = [stem, `${stem}s`].find((key) => Object.hasOwn(facts, key));
    if (key !== undefined) return { fact: facts[key], holds };
  }
  return undefined;
}

/** Of a list without a word about how many: each thing expected is found in some entry. */
const whole: Quantity = (entries, expected, holds, fact) => {
  if (!Array.isArray(fact) || holds === equal || sizes.has(holds)) return holds(fact, expected);
  return listOf(expected).every((one) => entries.some((entry) => holds(entry, one)));
};

const quantities: Record<string, Quantity> = {
  no_: (entries, expected, holds) =>
    !listOf(expected).some((one) => entries.some((entry) => holds(entry, one))),
  a_: (entries, expected, holds) => entries.some((entry) => holds(entry, expected)),
  any_: (entries, expected, holds) => entries.some((entry) => holds(entry, expected)),
  all_: (entries, expected, holds) => entries.every((entry) => holds(entry, expected)),
  "": whole,
};

const equal: Holds = (actual, expected) => isDeepStrictEqual(actual, expected);
const starts: Holds = (actual, expected) => String(actual).startsWith(String(expected));
const ends: Holds = (actual, expected) => String(actual).endsWith(String(expected));
const contains: Holds = (actual, expected) =>
  listOf(expected).every((part) =>
    typeof actual === "string" ? actual.includes(String(part)) : isDeepStrictEqual(actual, part),
  );
const atLeast: Holds = (actual, expected) => Number(actual) >= Number(expected);
const atMost: Holds = (actual, expected) => Number(actual) <= Number(expected);
const hasLength: Holds = (actual, expected) => lengthOf(actual) === expected;
const hasLengthFrom: Holds = (actual, expected) => lengthOf(actual) >= Number(expected);
const sizes = new Set([atLeast, atMost, hasLength, hasLengthFrom]);

const relations: Record<string, Holds> = {
  _contains_all: contains,
  _contains: contains,
  _contain: contains,
  _not_contains: (actual, expected) => !listOf(expected).some((part) => contains(actual, part)),
  _contains_any: (actual, expected) => listOf(expected).some((part) => contains(actual, part)),
  _starts_with: starts,
  _start_with: starts,
  _ends_with: ends,
  _end_with: ends,
  _equals: equal,
  _is: equal,
  _at_least: atLeast,
  _min: atLeast,
  _at_most: atMost,
  _max: atMost,
  _len: hasLength,
  _length: hasLength,
  _count: hasLength,
  _count_at_least: hasLengthFrom,
  _matches: (actual, expected) => new RegExp(String(expected)).test(String(actual)),
  "": equal,
};

function lengthOf(value: unknown): number {
  return Array.isArray(value) || typeof value === "string" ? value.length : Number.NaN;
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [value];
}
