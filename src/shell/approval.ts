import type { AskForApproval } from "../protocol/types.js";
import { isRestricted, type JudgeInput, type Judgement, judge } from "./judge.js";
import { decisionOf, type RuleMatch } from "./rules/rule.js";
import { forbiddenReason, promptReason } from "./rules/rule-layers.js";
import { programName } from "./safety/every-command.js";
import { isWrapper } from "./safety/wrappers.js";

/** Input of `decideExec`. */
export interface ExecDecisionInput extends JudgeInput {
  /** True if the user approved exactly this command for the rest of the session. */
  approvedForSession: boolean;
  /** True if this machine has a sandbox. */
  platformSandbox: boolean;
  /**
   * Keeps known safe commands in the sandbox. True in the product: a list skips the approval, never
   * the sandbox. The reference of 2025 ran them outside, as its tables show.
   */
  trustedRunsSandboxed: boolean;
  /** Proposes rules that would avoid the next approval. */
  proposeAmendments: boolean;
  /** Prefix that the model suggests for such a rule. */
  requestedPrefix?: readonly string[] | undefined;
}

/** Decision whether and how a command runs. */
export type ExecDecision =
  | {
      decision: "auto";
      sandboxed: boolean;
      /** True if it runs outside the sandbox because the user's rules allow all of it. */
      allowedByRules: boolean;
      /** True for a known safe command that runs in the sandbox. */
      isTrusted?: true;
      proposedAmendment?: string[];
    }
  | { decision: "ask"; reason?: string; proposedAmendment?: string[] }
  | { decision: "reject"; reason: string };

/** Decides whether a command runs immediately, after approval, or not at all. Has no side effects. */
export function decideExec(input: ExecDecisionInput): ExecDecision {
  return decideJudged(input, judge(input));
}

/** Like `decideExec`, for a command that was already judged. */
export function decideJudged(input: ExecDecisionInput, judgement: Judgement): ExecDecision {
  const matches = judgement.verdicts.flatMap((verdict) => verdict.matches);
  if (judgement.decision === "forbidden") {
    return { decision: "reject", reason: forbiddenReason(input.argv, matches) };
  }
  if (input.approvedForSession) {
    return { decision: "auto", sandboxed: false, allowedByRules: false };
  }
  if (judgement.decision === "allow") return runOrAsk(input, judgement);
  if (input.approvalPolicy === "never") {
    const reason = "approval required by policy, but AskForApproval is set to Never";
    return { decision: "reject", reason };
  }
  const reason = promptReason(input.argv, matches);
  return {
    decision: "ask",
    ...(reason !== undefined && { reason }),
    ...proposal(input, proposeAmendment({ matches, requestedPrefix: input.requestedPrefix })),
  };
}

/** Returns the text for the model if it requests escalated permissions that the approval policy excludes. */
export function escalationRefusal(policy: AskForApproval): string | undefined {
  if (policy === "on-request") return undefined;
  const names = { untrusted: "UnlessTrusted", "on-failure": "OnFailure", never: "Never" } as const;
  const name = names[policy];
  return `approval policy is ${name}; reject command — you should not ask for escalated permissions if the approval policy is ${name}`;
}

function runOrAsk(input: ExecDecisionInput, judgement: Judgement): ExecDecision {
  const allowedByRules = judgement.verdicts.every((verdict) => verdict.by === "rule");
  const trusted = judgement.verdicts.every(({ by }) => by === "rule" || by === "safe list");
  const outside = allowedByRules || (trusted && !input.trustedRunsSandboxed);
  const sandboxed = isRestricted(input.sandboxPolicy) && !outside;
  if (sandboxed && !input.platformSandbox) return withoutSandbox(input, judgement);
  const matches = judgement.verdicts.flatMap((verdict) => verdict.matches);
  return {
    decision: "auto",
    sandboxed,
    allowedByRules,
    ...(sandboxed && trusted && { isTrusted: true as const }),
    ...proposal(input, proposeAfterFailure(matches)),
  };
}

/** A command that requires a sandbox runs without one only if the user approves. */
function withoutSandbox(input: ExecDecisionInput, judgement: Judgement): ExecDecision {
  if (input.approvalPolicy === "never") {
    return { decision: "reject", reason: "auto-rejected because command is not on trusted list" };
  }
  const matches = judgement.verdicts.flatMap((verdict) => verdict.matches);
  return { decision: "ask", ...proposal(input, proposeAfterFailure(matches)) };
}

function proposal(input: ExecDecisionInput, amendment: string[] | undefined) {
  if (!input.proposeAmendments || amendment === undefined) return {};
  return { proposedAmendment: amendment };
}

/** Input of `proposeAmendment`. */
interface AmendmentInput {
  matches: readonly RuleMatch[];
  /** Prefix that the model suggested. */
  requestedPrefix?: readonly string[] | undefined;
}

/**
 * Returns the prefix to offer to the user as a rule, together with the approval request.
 *
 * Proposes nothing if a rule requires the approval: another rule would not avoid the next one.
 */
function proposeAmendment(input: AmendmentInput): string[] | undefined {
  const { matches, requestedPrefix } = input;
  if (matches.some((match) => isRule(match) && decisionOf(match) === "prompt")) return undefined;
  if (requestedPrefix !== undefined && isFitting(requestedPrefix, matches))
    return [...requestedPrefix];
  return firstUnmatched(matches, "prompt");
}

/** A suggested prefix must match one of the commands and be offerable. */
function isFitting(prefix: readonly string[], matches: readonly RuleMatch[]): boolean {
  if (!isOfferable(prefix)) return false;
  return matches.some((match) => {
    const command = "heuristicsRuleMatch" in match ? match.heuristicsRuleMatch.command : [];
    return prefix.every((word, index) => word === command[index]);
  });
}

/**
 * Returns the prefix to offer if a command that runs without approval fails in the sandbox.
 *
 * Proposes nothing if a rule already allows the command.
 */
function proposeAfterFailure(matches: readonly RuleMatch[]): string[] | undefined {
  return matches.some(isRule) ? undefined : firstUnmatched(matches, "allow");
}

function isRule(match: RuleMatch): boolean {
  return "prefixRuleMatch" in match;
}

function firstUnmatched(
  matches: readonly RuleMatch[],
  decision: "allow" | "prompt",
): string[] | undefined {
  for (const match of matches) {
    if (!("heuristicsRuleMatch" in match)) continue;
    const { command, decision: found } = match.heuristicsRuleMatch;
    if (found === decision) return isOfferable(command) ? command : undefined;
  }
  return undefined;
}

/**
 * Returns true if a rule that allows commands with this prefix may be offered to the user.
 *
 * Such a rule is permanent, and any arguments may follow the prefix. So none is offered that would
 * allow arbitrary code: for a bare interpreter, for a program that runs other programs, for git
 * with settings, for deletions, or for a multi-line script, which users do not read in an approval
 * request.
 */
export function isOfferable(prefix: readonly string[]): boolean {
  const [program = "", ...args] = prefix;
  if (program === "" || prefix.some((word) => /[\n\r]/.test(word))) return false;
  const name = programName(program);
  if (isWrapper(name) || runsAnything.test(name)) return false;
  if (shells.test(name) && isScriptOption.test(args[0] ?? "")) return isOperand(args[1]);
  if (interpreters.test(name)) return isOperand(args[0] === "-m" ? args[1] : args[0]);
  if (needsSubcommand.test(name)) return isOperand(args[0]);
  return true;
}

function isOperand(word: string | undefined): boolean {
  return word !== undefined && word !== "" && !word.startsWith("-");
}

/** Shells that take nothing but the arguments of the script after `-c SCRIPT`. */
const shells = /^(?:ba|z|da|k|mk|a)?sh$/;
const isScriptOption = /^-[a-z]*c$/;

/**
 * Programs that run code. Only a file, a subcommand or a module is fixed by a prefix: after an option
 * with code another one may follow, and `node -e 1 -e 2` runs the second.
 */
const interpreters =
  /^(?:(?:ba|z|da|k|mk|a|fi|c|tc)?sh|node|nodejs|deno|bun|tsx|ts-node|perl|ruby|irb|php|lua|luajit|tclsh|osascript|rscript|julia|java|python[\d.]*|pypy[\d.]*)$/i;

const runsAnything =
  /^(?:rm|shred|dd|mkfs(?:\..+)?|ssh|docker|podman|nerdctl|kubectl|find|fd|[gmn]?awk|eval|trap|source|\.|tmux|screen|pwsh|powershell|cmd)$/i;

const needsSubcommand = /^(?:git|npm|npx|pnpm|yarn|cargo|uv|pip[\d.]*|go)$/;
