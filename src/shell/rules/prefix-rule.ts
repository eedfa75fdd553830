import { splitWords } from "../quote.js";
import type { Decision, PrefixRule } from "./rule.js";
import type { Call } from "./syntax.js";
import {
  type Arguments,
  optionalList,
  optionalString,
  type Place,
  requiredList,
  rulesError,
  type Value,
} from "./values.js";

/** A prefix rule as written, with its examples. */
export interface WrittenPrefixRule {
  rule: PrefixRule;
  match: readonly string[][];
  notMatch: readonly string[][];
}

/** Parses `prefix_rule(pattern, decision, match, not_match, justification)`. */
export function readPrefixRule({ args, at }: Call): WrittenPrefixRule {
  const decision = parseDecision(args, at) ?? "allow";
  const justification = parseJustification(args, at);
  const pattern = requiredList(args, "pattern", at).map(alternatives);
  if (pattern.length === 0)
    throw rulesError(at, "invalid pattern element: pattern cannot be empty");
  return {
    rule: { pattern, decision, at, ...(justification !== undefined && { justification }) },
    match: (optionalList(args, "match") ?? []).map(readExample),
    notMatch: (optionalList(args, "not_match") ?? []).map(readExample),
  };
}

function alternatives(value: Value): readonly string[] {
  const bad = (problem: string) => rulesError(value.at, `invalid pattern element: ${problem}`);
  if (value.type === "string") return [value.value];
  if (value.type !== "list") {
    throw bad(`pattern element must be a string or list of strings (got ${value.type})`);
  }
  if (value.items.length === 0) throw bad("pattern alternatives cannot be empty");
  return value.items.map((item) => {
    if (item.type === "string") return item.value;
    throw bad(`pattern alternative must be a string (got ${item.type})`);
  });
}

function readExample(value: Value): string[] {
  const bad = (problem: string) => rulesError(value.at, `invalid example: ${problem}`);
  if (value.type === "string") {
    const words = splitWords(value.value);
    if (words === undefined) throw bad("example string has invalid shell syntax");
    if (words.length === 0) throw bad("example cannot be an empty string");
    return words;
  }
  if (value.type !== "list") {
    throw bad(`example must be a string or list of strings (got ${value.type})`);
  }
  if (value.items.length === 0) throw bad("example cannot be an empty list");
  return value.items.map((item) => {
    if (item.type === "string") return item.value;
    throw bad(`example tokens must be strings (got ${item.type})`);
  });
}

/** Parses the `decision` of a command rule. */
export function parseDecision(args: Arguments, call: Place): Decision | undefined {
  const text = optionalString(args, "decision");
  if (text === undefined || text === "allow" || text === "prompt" || text === "forbidden")
    return text;
  const at = args.get("decision")?.at ?? call;
  throw rulesError(at, `invalid decision: ${text} (write allow, prompt or forbidden)`);
}

/** Parses the `justification` of a rule, which must not be blank. */
export function parseJustification(args: Arguments, call: Place): string | undefined {
  const text = optionalString(args, "justification");
  if (text !== undefined && text.trim() === "") {
    const at = args.get("justification")?.at ?? call;
    throw rulesError(at, "invalid rule: justification cannot be empty");
  }
  return text;
}
