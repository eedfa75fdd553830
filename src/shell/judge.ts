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

/** Everything a verdict about a command depends on. */
export interface JudgeInput {
  argv: readonly string[];
  approvalPolicy: AskForApproval;
  sandboxPolicy: SandboxPolicy;
  /** Whether the model asks to run the command outside the sandbox. */
  escalated: boolean;
  safeList: SafeList;
  dangerousList: DangerousList;
  /**
   * Returns whether the repository around the command may name programs that git would start. Asked
   * about a `git` on the safe list that runs outside a sandbox; absent: none does.
   */
  namesPrograms?: (() => boolean) | undefined;
  /** The user's rules; absent where rules do not exist at all, which also leaves scripts unopened. */
  rules?: ExecRules | undefined;
  /** Lets `/usr/bin/git` count as `git` where no rule names the path itself. */
  resolveHostExecutables?: boolean | undefined;
  /** Returns the name of the program that a path leads to, for rules that ask or forbid. */
  realName?: ((program: string) => string | undefined) | undefined;
  platform?: NodeJS.Platform | undefined;
}

/** What decided about one command. */
export type VerdictSource = "rule" | "safe list" | "dangerous list" | "policy";

/** The verdict about one command of a script, or about a whole command. */
export interface Verdict {
  command: readonly string[];
  decision: Decision;
  by: VerdictSource;
  /** The rules that matched, when rules decided. */
  rules: readonly PrefixRule[];
  matches: readonly RuleMatch[];
}

/** The verdicts about all parts of a command, and the strictest of them. */
export interface Judgement {
  decision: Decision;
  verdicts: readonly Verdict[];
  /** How the command was looked at: as it is, part by part, or as a script that cannot be read. */
  read: "command" | "plain script" | "opaque script";
}

/**
 * Judges a command: rules first, then the lists, then the approval policy, for each part of a plain
 * script alone. A script that cannot be read is judged as one command. Rules which ask or forbid also
 * find their commands behind wrappers and inside scripts, however they are spelled.
 */
export function judge(input: JudgeInput): Judgement {
  const parts = input.rules === undefined ? undefined : parseShellLcPlainCommands(input.argv);
  const plain = parts !== undefined && parts.length > 0;
  const verdicts = (plain ? parts : [input.argv]).map((command) => judgePart(command, input));
  const script = plain ? undefined : readShellScript(input.argv)?.script;
  // What one part prints, another may run.
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

/** Outside a sandbox, programs that a repository's settings name would do all that the user may do. */
function gitMayRunPrograms({ argv, sandboxPolicy, safeList, namesPrograms }: JudgeInput): boolean {
  if (namesPrograms === undefined || isRestricted(sandboxPolicy)) return false;
  if (safeList.checked.git === undefined) return false;
  const { commands } = everyCommand(argv);
  if (!commands.some(([program = ""]) => programName(program) === "git")) return false;
  // Another folder may be in another repository.
  const leaves = commands.some(([program, ...args]) => program === "cd" || args.includes("-C"));
  return leaves || namesPrograms();
}

/** Whether the policy has the user asked about a command of which nothing is known. */
function asks({ approvalPolicy, sandboxPolicy, escalated }: JudgeInput): boolean {
  if (approvalPolicy === "untrusted") return true;
  if (approvalPolicy !== "on-request") return false;
  return escalated && isRestricted(sandboxPolicy);
}

/** Whether commands are to run in a sandbox of ours under this policy. */
export function isRestricted(policy: SandboxPolicy): boolean {
  return policy.mode === "read-only" || policy.mode === "workspace-write";
}

/** What rules that ask or forbid say of all that a command may run, besides what was found already. */
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
  // Too much to look through for what is forbidden: a person decides.
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
