import type { AskForApproval } from "../protocol/types.js";
import { isRestricted, type JudgeInput, type Judgement, judge } from "./judge.js";
import { proposeAfterFailure, proposeAmendment } from "./rules/amendment.js";
import { forbiddenReason, promptReason } from "./rules/reasons.js";

/** What decides whether a command runs. */
export interface ExecDecisionInput extends JudgeInput {
  /** Whether the user approved exactly this command for the rest of the session. */
  approvedForSession: boolean;
  /** Whether this machine has a sandbox to run commands in. */
  platformSandbox: boolean;
  /**
   * Whether known safe commands stay in the sandbox. True in the product: a list skips the question,
   * never the sandbox. The reference of 2025 ran them outside, which its tables show.
   */
  trustedRunsSandboxed: boolean;
  /** Whether rules are proposed that would spare the next question. */
  proposeAmendments: boolean;
  /** A prefix that the model suggests for such a rule. */
  requestedPrefix?: readonly string[] | undefined;
}

/** Whether a command runs, and how. */
export type ExecDecision =
  | {
      decision: "auto";
      sandboxed: boolean;
      /** Whether it runs outside the sandbox because the user's rules allow all of it. */
      allowedByRules: boolean;
      proposedAmendment?: string[];
    }
  | { decision: "ask"; reason?: string; proposedAmendment?: string[] }
  | { decision: "reject"; reason: string };

/** Decides whether a command runs at once, after asking, or not at all. Reads and changes nothing. */
export function decideExec(input: ExecDecisionInput): ExecDecision {
  return decideJudged(input, judge(input));
}

/** The same for a command that has been judged already. */
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

/** What the model is told when it asks for more than the approval policy lets it ask for. */
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
    ...proposal(input, proposeAfterFailure(matches)),
  };
}

/** A command that should run in a sandbox does not run without one unless the user says so. */
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
