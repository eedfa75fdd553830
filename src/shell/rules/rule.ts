import { basename, isAbsolute } from "node:path";
import { CodexError } from "../../protocol/error.js";
import type { Place } from "./values.js";

/** Decision of a rule, from the most lenient to the strictest. */
export type Decision = "allow" | "prompt" | "forbidden";

/** A rule for commands with a given prefix. */
export interface PrefixRule {
  /** Accepted words for each position. */
  pattern: readonly (readonly string[])[];
  decision: Decision;
  justification?: string;
  /** Position in the file; absent for a rule created at run time. */
  at?: Place;
}

/** Protocol for reaching a host. */
export type NetworkProtocol = "http" | "https" | "socks5_tcp" | "socks5_udp";

/** A rule for a host on the network. */
export interface NetworkRule {
  host: string;
  protocol: NetworkProtocol;
  decision: Decision;
  justification?: string;
}

/** All rules of a session; immutable. */
export interface ExecRules {
  prefixRules: readonly PrefixRule[];
  networkRules: readonly NetworkRule[];
  /** Paths that are equivalent to the bare name of a program. */
  hostExecutables: ReadonlyMap<string, readonly string[]>;
}

/** The empty set of rules. */
export const noRules: ExecRules = {
  prefixRules: [],
  networkRules: [],
  hostExecutables: new Map(),
};

/**
 * Returns the rules with an additional prefix rule.
 *
 * Used only by the suites: the program adds rules to a file and reads it again.
 */
export function addPrefixRule(
  rules: ExecRules,
  prefix: readonly string[],
  decision: Decision,
): ExecRules {
  if (prefix.length === 0) {
    throw new CodexError("invalid_request", "invalid pattern element: prefix cannot be empty");
  }
  const rule: PrefixRule = { pattern: prefix.map((word) => [word]), decision };
  return { ...rules, prefixRules: [...rules.prefixRules, rule] };
}

/** Merges two sets of rules; executables of the second replace those of the first. */
export function mergeRules(first: ExecRules, second: ExecRules): ExecRules {
  return {
    prefixRules: [...first.prefixRules, ...second.prefixRules],
    networkRules: [...first.networkRules, ...second.networkRules],
    hostExecutables: new Map([...first.hostExecutables, ...second.hostExecutables]),
  };
}

/** Returns the strictest decision; `undefined` for none. */
export function strictest(decisions: readonly Decision[]): Decision | undefined {
  const order: readonly Decision[] = ["forbidden", "prompt", "allow"];
  return order.find((decision) => decisions.includes(decision));
}

/** A rule that matched a command, or the fallback verdict if no rule did. */
export type RuleMatch =
  | {
      prefixRuleMatch: {
        matchedPrefix: string[];
        decision: Decision;
        /** The path that was called, if the rule matched by the bare name. */
        resolvedProgram?: string;
        justification?: string;
      };
    }
  | { heuristicsRuleMatch: { command: string[]; decision: Decision } };

/** Result of all rules for some commands. */
export interface Evaluation {
  decision: Decision;
  matchedRules: RuleMatch[];
}

/** Options for `evaluateRules`. */
interface EvaluateOptions {
  /** Decides on a command that no rule matches. */
  fallback: (command: readonly string[]) => Decision;
  /** Treats `/usr/bin/git` as `git` if no rule names the path itself. */
  resolveHostExecutables?: boolean;
}

/** Applies rules to commands: every matching rule counts, the strictest decision wins. */
export function evaluateRules(
  rules: ExecRules,
  commands: readonly (readonly string[])[],
  options: EvaluateOptions,
): Evaluation {
  const matchedRules = commands.flatMap((command): RuleMatch[] => {
    const matches = matchRules(rules, command, options.resolveHostExecutables ?? false);
    if (matches.length > 0) return matches.map(({ match }) => match);
    const decision = options.fallback(command);
    return [{ heuristicsRuleMatch: { command: [...command], decision } }];
  });
  return { decision: strictest(matchedRules.map(decisionOf)) ?? "prompt", matchedRules };
}

/** Returns the decision of a match. */
export function decisionOf(match: RuleMatch): Decision {
  return "prefixRuleMatch" in match
    ? match.prefixRuleMatch.decision
    : match.heuristicsRuleMatch.decision;
}

/** Returns the rules that match one command, each with its match. */
export function matchRules(
  rules: ExecRules,
  command: readonly string[],
  resolveHostExecutables: boolean,
): { rule: PrefixRule; match: RuleMatch }[] {
  const exact = matchesOf(rules.prefixRules, command);
  if (exact.length > 0 || !resolveHostExecutables) return exact;
  const [program = "", ...args] = command;
  if (!isAbsolute(program)) return [];
  const name = basename(program);
  const allowed = rules.hostExecutables.get(name);
  if (allowed !== undefined && !allowed.includes(program)) return [];
  return matchesOf(rules.prefixRules, [name, ...args], program);
}

function matchesOf(
  rules: readonly PrefixRule[],
  command: readonly string[],
  resolvedProgram?: string,
): { rule: PrefixRule; match: RuleMatch }[] {
  return rules
    .filter((rule) => matchesPrefix(rule, command))
    .map((rule) => ({
      rule,
      match: {
        prefixRuleMatch: {
          matchedPrefix: command.slice(0, rule.pattern.length),
          decision: rule.decision,
          ...(resolvedProgram !== undefined && { resolvedProgram }),
          ...(rule.justification !== undefined && { justification: rule.justification }),
        },
      },
    }));
}

function matchesPrefix({ pattern }: PrefixRule, command: readonly string[]): boolean {
  if (command.length < pattern.length) return false;
  return pattern.every((words, index) => words.includes(command[index] ?? ""));
}
