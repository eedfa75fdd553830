import { basename, isAbsolute } from "node:path";
import { CodexError } from "../../protocol/error.js";
import type { Place } from "./values.js";

/** What a rule says about a command, from the mildest to the strictest. */
export type Decision = "allow" | "prompt" | "forbidden";

/** A rule about commands that begin with certain words. */
export interface PrefixRule {
  /** For each position the words that fit there. */
  pattern: readonly (readonly string[])[];
  decision: Decision;
  justification?: string;
  /** Where the rule stands; absent for one made while running. */
  at?: Place;
}

/** How a host is reached. */
export type NetworkProtocol = "http" | "https" | "socks5_tcp" | "socks5_udp";

/** A rule about a host on the network. */
export interface NetworkRule {
  host: string;
  protocol: NetworkProtocol;
  decision: Decision;
  justification?: string;
}

/** All rules of a session; a value that is never changed, only replaced. */
export interface ExecRules {
  prefixRules: readonly PrefixRule[];
  networkRules: readonly NetworkRule[];
  /** The paths under which a program may be called to count as its bare name. */
  hostExecutables: ReadonlyMap<string, readonly string[]>;
}

/** No rules at all. */
export const noRules: ExecRules = {
  prefixRules: [],
  networkRules: [],
  hostExecutables: new Map(),
};

/**
 * The rules with one more about commands that begin with `prefix`.
 *
 * Only the suites ask for it: the program adds rules to a file, which it then reads again.
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

/** The rules of two places together; what the second says of an executable replaces the first. */
export function mergeRules(first: ExecRules, second: ExecRules): ExecRules {
  return {
    prefixRules: [...first.prefixRules, ...second.prefixRules],
    networkRules: [...first.networkRules, ...second.networkRules],
    hostExecutables: new Map([...first.hostExecutables, ...second.hostExecutables]),
  };
}

/** The strictest of several decisions; nothing for none. */
export function strictest(decisions: readonly Decision[]): Decision | undefined {
  const order: readonly Decision[] = ["forbidden", "prompt", "allow"];
  return order.find((decision) => decisions.includes(decision));
}

/** A rule that a command met, or the verdict that stands in where no rule did. */
export type RuleMatch =
  | {
      prefixRuleMatch: {
        matchedPrefix: string[];
        decision: Decision;
        /** The path that was called, when the rule was found by the bare name. */
        resolvedProgram?: string;
        justification?: string;
      };
    }
  | { heuristicsRuleMatch: { command: string[]; decision: Decision } };

/** What all rules together say about some commands. */
export interface Evaluation {
  decision: Decision;
  matchedRules: RuleMatch[];
}

/** How rules are applied. */
interface EvaluateOptions {
  /** Decides about a command that no rule speaks of. */
  fallback: (command: readonly string[]) => Decision;
  /** Lets `/usr/bin/git` count as `git` where no rule names the path itself. */
  resolveHostExecutables?: boolean;
}

/** Judges commands by the rules: every rule that matches counts, the strictest decision wins. */
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

/** The decision inside a match. */
export function decisionOf(match: RuleMatch): Decision {
  return "prefixRuleMatch" in match
    ? match.prefixRuleMatch.decision
    : match.heuristicsRuleMatch.decision;
}

/** The rules that one command meets, each with what it matched. */
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
