import type { AskForApproval, SandboxPolicy } from "../protocol/types.js";
import { parseShellLcPlainCommands } from "./plain-commands.js";
import {
  type Decision,
  decisionOf,
  type ExecRules,
  evaluateRules,
  matchRules,
  noRules,
  type PrefixRule,
  type RuleMatch,
  strictest,
} from "./rules/rule.js";
import { matchStrictly } from "./rules/strict-match.js";
import { dangerousMatch } from "./safety/dangerous.js";
import type { DangerousList } from "./safety/dangerous-list.js";
import { everyCommand, programName, readsScript } from "./safety/every-command.js";
import { isKnownSafe } from "./safety/safe.js";
import { type SafeList, withoutGit } from "./safety/safe-list.js";
import { readShellScript } from "./shell-argv.js";

/** Input of `judge`. */
export interface JudgeInput {
  argv: readonly string[];
  approvalPolicy: AskForApproval;
  sandboxPolicy: SandboxPolicy;
  /** True if the model requests to run the command outside the sandbox. */
  escalated: boolean;
  safeList: SafeList;
  dangerousList: DangerousList;
  /**
   * Returns true if the repository around the command may configure programs that git would start.
   * Called for a `git` on the safe list that runs outside a sandbox; default: false.
   */
  namesPrograms?: (() => boolean) | undefined;
  /** The user's rules; if absent, rules are not supported and scripts are not parsed. */
  rules?: ExecRules | undefined;
  /** Treats `/usr/bin/git` as `git` if no rule names the path itself. */
  resolveHostExecutables?: boolean | undefined;
  /** Returns the name of the program that a path resolves to, for rules that prompt or forbid. */
  realName?: ((program: string) => string | undefined) | undefined;
  platform?: NodeJS.Platform | undefined;
}

/** Source of a verdict. */
export type VerdictSource = "rule" | "safe list" | "dangerous list" | "policy";

/** Verdict on one command of a script, or on a whole command. */
export interface Verdict {
  command: readonly string[];
  decision: Decision;
  by: VerdictSource;
  /** The rules that matched, if rules decided. */
  rules: readonly PrefixRule[];
  matches: readonly RuleMatch[];
}

/** Verdicts on all parts of a command, and the strictest of them. */
export interface Judgement {
  decision: Decision;
  verdicts: readonly Verdict[];
  /** Way the command was parsed: as is, part by part, or as a script that cannot be parsed. */
  read: "command" | "plain script" | "opaque script";
}

/**
 * Judges a command: rules first, then the lists, then the approval policy, separately for each part
 * of a plain script. A script that cannot be parsed is judged as one command. Rules that prompt or
 * forbid also match commands behind wrappers and inside scripts, in any spelling.
 */
export function judge(input: JudgeInput): Judgement {
  const parts = input.rules === undefined ? undefined : parseShellLcPlainCommands(input.argv);
  const plain = parts !== undefined && parts.length > 0;
  const verdicts = (plain ? parts : [input.argv]).map((command) => judgePart(command, input));
  const script = plain ? undefined : readShellScript(input.argv)?.script;
  // The output of one part may be run by another.
  if (plain && everyCommand(input.argv).commands.some(readsScript))
    verdicts.push(...dangerInWhole(input));
  verdicts.push(...restrictions(input, verdicts));
  return {
    decision: strictest(verdicts.map((verdict) => verdict.decision)) ?? "prompt",
    verdicts,
    read: plain ? "plain script" : script === undefined ? "command" : "opaque script",
  };
}

function judgePart(command: readonly string[], input: JudgeInput): Verdict {
  const rules = input.rules ?? noRules;
  const resolve = input.resolveHostExecutables ?? false;
  const matched = matchRules(rules, command, resolve);
  let by: VerdictSource = "rule";
  const { decision, matchedRules } = evaluateRules(rules, [command], {
    resolveHostExecutables: resolve,
    fallback: () => {
      const verdict = withoutRules(command, input);
      by = verdict.by;
      return verdict.decision;
    },
  });
  return { command, decision, by, rules: matched.map(({ rule }) => rule), matches: matchedRules };
}

function withoutRules(
  command: readonly string[],
  input: JudgeInput,
): { decision: Decision; by: VerdictSource } {
  const safeList = gitMayRunPrograms(input) ? withoutGit(input.safeList) : input.safeList;
  if (isKnownSafe(command, safeList, input.platform)) return { decision: "allow", by: "safe list" };
  if (dangerousMatch(command, input.dangerousList, input.platform) !== undefined) {
    return { decision: onDanger(input), by: "dangerous list" };
  }
  return { decision: asks(input) ? "prompt" : "allow", by: "policy" };
}

function dangerInWhole(input: JudgeInput): Verdict[] {
  const { argv, dangerousList, platform } = input;
  if (dangerousMatch(argv, dangerousList, platform) === undefined) return [];
  const decision = onDanger(input);
  return [{ command: argv, decision, by: "dangerous list", rules: [], matches: [] }];
}

function onDanger({ approvalPolicy }: JudgeInput): Decision {
  return approvalPolicy === "never" ? "forbidden" : "prompt";
}

/** Outside a sandbox, programs configured in a repository would have all permissions of the user. */
function gitMayRunPrograms({ argv, sandboxPolicy, safeList, namesPrograms }: JudgeInput): boolean {
  if (namesPrograms === undefined || isRestricted(sandboxPolicy)) return false;
  if (safeList.checked.git === undefined) return false;
  const { commands } = everyCommand(argv);
  if (!commands.some(([program = ""]) => programName(program) === "git")) return false;
  // Another folder may be in another repository.
  const leaves = commands.some(([program, ...args]) => program === "cd" || args.includes("-C"));
  return leaves || namesPrograms();
}

/** Returns true if the policy requires approval for a command that no rule or list covers. */
function asks({ approvalPolicy, sandboxPolicy, escalated }: JudgeInput): boolean {
  if (approvalPolicy === "untrusted") return true;
  if (approvalPolicy !== "on-request") return false;
  return escalated && isRestricted(sandboxPolicy);
}

/** Returns true if commands run in a sandbox of ours under this policy. */
export function isRestricted(policy: SandboxPolicy): boolean {
  return policy.mode === "read-only" || policy.mode === "workspace-write";
}

/** Applies rules that prompt or forbid to everything that a command may run, beyond the known verdicts. */
function restrictions(input: JudgeInput, known: readonly Verdict[]): Verdict[] {
  const strict = (input.rules ?? noRules).prefixRules.filter((rule) => rule.decision !== "allow");
  const left = strict.filter((rule) => !known.some(({ rules }) => rules.includes(rule)));
  if (left.length === 0) return [];
  const { commands, isComplete } = everyCommand(input.argv);
  const found = commands.flatMap((command): Verdict[] => {
    const matches = left.flatMap((rule) => {
      const matchedPrefix = matchStrictly(rule, command, input.realName);
      return matchedPrefix === undefined ? [] : [{ rule, match: toMatch(rule, matchedPrefix) }];
    });
    const decision = strictest(matches.map(({ match }) => decisionOf(match)));
    if (decision === undefined) return [];
    const rules = matches.map(({ rule }) => rule);
    return [{ command, decision, by: "rule", rules, matches: matches.map(({ match }) => match) }];
  });
  if (isComplete || found.length > 0) return found;
  // Too large to search for forbidden commands: the user decides.
  return [{ command: input.argv, decision: "prompt", by: "rule", rules: [], matches: [] }];
}

function toMatch({ decision, justification }: PrefixRule, matchedPrefix: string[]): RuleMatch {
  return {
    prefixRuleMatch: {
      matchedPrefix,
      decision,
      ...(justification !== undefined && { justification }),
    },
  };
}
