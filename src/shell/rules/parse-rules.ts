import { joinWords } from "../quote.js";
import { readHostExecutable } from "./host-executable.js";
import { readNetworkRule } from "./network-rule.js";
import { readPrefixRule, type WrittenPrefixRule } from "./prefix-rule.js";
import {
  type ExecRules,
  matchRules,
  mergeRules,
  type NetworkRule,
  noRules,
  type PrefixRule,
} from "./rule.js";
import { parseCalls } from "./syntax.js";
import { type Place, rulesError } from "./values.js";

/** A rules file: its name for errors, and its text. */
export interface RulesFile {
  name: string;
  text: string;
}

/**
 * Parses rules files in order into one set of rules.
 *
 * Checks every `match` and `not_match` example. Throws the first error with its file, line and
 * column; a file is never used in part.
 */
export function parseRules(files: readonly RulesFile[]): ExecRules {
  return files.reduce((rules, file) => mergeRules(rules, parseFile(file, rules)), noRules);
}

const functions = {
  prefix_rule: ["pattern", "decision", "match", "not_match", "justification"],
  network_rule: ["host", "protocol", "decision", "justification"],
  host_executable: ["name", "paths"],
};

function parseFile({ name, text }: RulesFile, before: ExecRules): ExecRules {
  const written: WrittenPrefixRule[] = [];
  const networkRules: NetworkRule[] = [];
  const hostExecutables = new Map<string, readonly string[]>();
  for (const call of parseCalls(name, text, functions)) {
    if (call.name === "prefix_rule") {
      written.push(readPrefixRule(call));
    } else if (call.name === "network_rule") {
      networkRules.push(readNetworkRule(call));
    } else {
      const executable = readHostExecutable(call);
      hostExecutables.set(executable.name, executable.paths);
    }
  }
  const known = new Map([...before.hostExecutables, ...hostExecutables]);
  for (const rule of written) checkExamples(rule, known);
  return { prefixRules: written.map(({ rule }) => rule), networkRules, hostExecutables };
}

function checkExamples(
  { rule, match, notMatch }: WrittenPrefixRule,
  hostExecutables: ExecRules["hostExecutables"],
): void {
  const alone: ExecRules = { prefixRules: [rule], networkRules: [], hostExecutables };
  const matches = (example: readonly string[]) => matchRules(alone, example, true).length > 0;
  const at: Place = rule.at ?? { file: "", line: 1, column: 1 };
  const wrong = notMatch.find(matches);
  if (wrong !== undefined) {
    throw rulesError(
      at,
      `expected example to not match rule \`${renderRule(rule)}\`: ${joinWords(wrong)}`,
    );
  }
  const unmatched = match.filter((example) => !matches(example)).map(joinWords);
  if (unmatched.length > 0) {
    const examples = JSON.stringify(unmatched);
    throw rulesError(
      at,
      `expected every example to match at least one rule. rules: [${renderRule(rule)}]; ` +
        `unmatched examples: ${examples}`,
    );
  }
}

/** Formats a prefix rule in the syntax of rules files, for messages. */
export function renderRule(rule: PrefixRule): string {
  const words = rule.pattern.map((alternatives) => {
    const quoted = alternatives.map((word) => JSON.stringify(word));
    return quoted.length === 1 ? quoted[0] : `[${quoted.join(", ")}]`;
  });
  return `prefix_rule(pattern=[${words.join(", ")}], decision=${JSON.stringify(rule.decision)})`;
}
