import { basename, isAbsolute } from "node:path";
import { type Decision, type ExecRules, type PrefixRule, strictest } from "./rule.js";

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
export interface EvaluateOptions {
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
