import { CannotRun } from "../suite.js";
import { equality, listOf, type Relation, relations } from "./relations.js";

/** Facts by name. A list is compared with an expectation entry by entry. */
export type Facts = Record<string, unknown>;

/**
 * Compares facts with one expectation; returns the difference.
 *
 * The name of an expectation has up to three parts: the number of list entries it covers (`no_`, `a_`,
 * `all_`), the name of the fact, and the relation (`_contains`, `_ends_with`, `_at_least`…; equality if
 * omitted): `instructions_contains`, `no_input_text_equals`.
 */
export function checkFact(facts: Facts, name: string, expected: unknown): string | undefined {
  const found = readName(facts, name);
  if (found === undefined) throw new CannotRun(`unknown expectation ${name}`);
  const { quantity, fact, relation } = found;
  if (quantity(fact, expected, relation)) return undefined;
  return `${name}: expected ${show(expected)}, got ${show(fact)}`;
}

/** Compares facts with all their expectations; returns the first difference. */
export function checkFacts(facts: Facts, expected: object): string | undefined {
  return firstDifference(
    Object.entries(expected).map(
      ([name, value]) =>
        () =>
          checkFact(facts, name, value),
    ),
  );
}

/** Returns the first difference, if any. */
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

type Quantity = (fact: unknown, expected: unknown, relation: Relation) => boolean;

function readName(facts: Facts, name: string) {
  if (Object.hasOwn(facts, name)) {
    return { quantity: plain, fact: facts[name], relation: equality };
  }
  for (const [prefix, quantity] of Object.entries(quantities)) {
    if (!name.startsWith(prefix)) continue;
    const found = readFact(facts, name.slice(prefix.length));
    if (found !== undefined) return { quantity, ...found };
  }
  return undefined;
}

function readFact(facts: Facts, name: string) {
  for (const [suffix, relation] of Object.entries(relations)) {
    if (!name.endsWith(suffix)) continue;
    const stem = name.slice(0, name.length - suffix.length);
    const key = [stem, `${stem}s`].find((key) => Object.hasOwn(facts, key));
    if (key !== undefined) return { fact: facts[key], relation };
  }
  return undefined;
}

/** Without a word about how many: each thing expected is found in some entry. */
const plain: Quantity = (fact, expected, { holds, ofList }) => {
  if (!Array.isArray(fact) || ofList) return holds(fact, expected);
  return listOf(expected).every((one) => fact.some((entry) => holds(entry, one)));
};

const some: Quantity = (fact, expected, { holds }) =>
  listOf(fact).some((entry) => holds(entry, expected));

const quantities: Readonly<Record<string, Quantity>> = {
  no_: (fact, expected, { holds }) =>
    !listOf(expected).some((one) => listOf(fact).some((entry) => holds(entry, one))),
  a_: some,
  any_: some,
  all_: (fact, expected, { holds }) => {
    const entries = listOf(fact);
    return entries.length > 0 && entries.every((entry) => holds(entry, expected));
  },
  "": plain,
};
