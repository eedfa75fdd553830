import { isDeepStrictEqual } from "node:util";
import patchText from "../../src/engine/prompts/apply-patch.md";
import type { RecordedRequest } from "../../src/model/scripted/index.js";
import { checkFact, firstDifference, show } from "./facts.js";
import { checkInputShape, type EntryShape } from "./input-shape.js";
import { bodyOf, requestFacts } from "./request-facts.js";

/** A request among the others of its scenario. */
export interface RequestPlace {
  request: RecordedRequest;
  all: readonly RecordedRequest[];
}

/** Compares one request with an expectation. */
export function checkRequest(
  place: RequestPlace,
  expected: Record<string, unknown>,
): string | undefined {
  return firstDifference(
    Object.entries(expected).map(([name, value]) => () => {
      const check = Object.hasOwn(checks, name) ? checks[name] : undefined;
      if (check !== undefined) return check(place, value);
      const comparison = readComparison(place, name, value);
      if (comparison !== undefined) return compare(place.request, comparison);
      return checkFact(requestFacts(place.request), name, value);
    }),
  );
}

type RequestCheck = (place: RequestPlace, expected: unknown) => string | undefined;

const checks: Record<string, RequestCheck> = {
  headers: ({ request: { headers } }, expected) => checkFields("headers", headers, expected),
  absent_headers: ({ request: { headers } }, expected) => checkAbsent("headers", headers, expected),
  body: ({ request }, expected) => checkFields("body", bodyOf(request), expected),
  absent_body_keys: ({ request }, expected) => checkAbsent("body", bodyOf(request), expected),
  input_shape: ({ request }, expected) =>
    checkInputShape(bodyOf(request).input ?? [], expected as EntryShape[]),
  prefix_of_request({ request, all }, expected) {
    const [longer, prefix] = [bodyOf(request).input ?? [], inputOf(all, Number(expected))];
    const begins = longer.length > prefix.length;
    if (begins && isDeepStrictEqual(longer.slice(0, prefix.length), prefix)) return undefined;
    return `the input does not go on from that of request ${expected}: ${show(longer)}`;
  },
  instructions_end_with({ request }, expected) {
    const { instructions = "" } = bodyOf(request);
    const text = String(expected);
    // A text in angle brackets describes one: the only one there is teaches `apply_patch`.
    const wanted = /^<.*apply_patch.*>$/.test(text) ? `\n${patchText}` : text;
    if (instructions.endsWith(wanted)) return undefined;
    return `the instructions end with ${show(instructions.slice(-200))}`;
  },
};

/** Relations between two requests, by a name such as `instructions_equal`. */
interface Comparison {
  fact: string;
  other: RecordedRequest;
  isEqual: boolean;
}

/** `X_equal` and `X_differ_from` name another request, by its number. */
function readComparison(
  { all }: RequestPlace,
  name: string,
  expected: unknown,
): Comparison | undefined {
  const [, fact, relation] = /^(\w+?)_(equal|differ_from)$/.exec(name) ?? [];
  const other = typeof expected === "number" ? all[expected] : undefined;
  if (fact === undefined || other === undefined) return undefined;
  return { fact, other, isEqual: relation === "equal" };
}

function compare(request: RecordedRequest, { fact, other, isEqual }: Comparison) {
  const [own, its] = [requestFacts(request)[fact], requestFacts(other)[fact]];
  if (isDeepStrictEqual(own, its) === isEqual) return undefined;
  return `${fact} is ${isEqual ? "not " : ""}that of the other request: ${show(own)}`;
}

function inputOf(requests: readonly RecordedRequest[], number: number): unknown[] {
  const request = requests[number];
  return request === undefined ? [undefined] : (bodyOf(request).input ?? []);
}

function checkFields(what: string, actual: object, expected: unknown): string | undefined {
  for (const [name, value] of Object.entries(expected as object)) {
    const found = Object.hasOwn(actual, name) ? actual[name as keyof typeof actual] : undefined;
    if (!isDeepStrictEqual(found, value))
      return `${what}.${name} is ${show(found)}, not ${show(value)}`;
  }
  return undefined;
}

function checkAbsent(what: string, actual: object, names: unknown): string | undefined {
  const found = (names as string[]).filter((name) => Object.hasOwn(actual, name));
  return found.length === 0 ? undefined : `${what} has ${found.join(", ")}`;
}
