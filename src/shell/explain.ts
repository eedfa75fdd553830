import { decideJudged, type ExecDecision, type ExecDecisionInput } from "./approval.js";
import { isRestricted, type Judgement, judge, type Verdict } from "./judge.js";
import { joinWords } from "./quote.js";
import { renderRule } from "./rules/parse-rules.js";
import type { Decision } from "./rules/rule.js";

/** Explains why a command would run, require approval or be refused. */
export interface PolicyExplanation {
  command: string;
  decision: ExecDecision["decision"];
  /** True if it would run in the sandbox; set if it runs without approval. */
  sandboxed?: boolean;
  /** The outcome in one sentence. */
  outcome: string;
  /** Result of parsing the command. */
  read: Judgement["read"];
  /** Verdicts on each part, in order. */
  parts: PartExplanation[];
  /** The rule that would avoid the approval, if the user accepts it. */
  proposedRule?: string[];
}

/** Verdict on one part of a command, with its source. */
export interface PartExplanation {
  command: string;
  decision: Decision;
  by: Verdict["by"];
  because: string;
  /** The rules that matched, with their positions. */
  rules: { rule: string; place?: string; justification?: string }[];
}

/** Explains the decision about a command without running it. */
export function explainPolicy(input: ExecDecisionInput): PolicyExplanation {
  const judgement = judge(input);
  const decision = decideJudged(input, judgement);
  const proposed = decision.decision === "reject" ? undefined : decision.proposedAmendment;
  return {
    command: joinWords(input.argv),
    decision: decision.decision,
    ...(decision.decision === "auto" && { sandboxed: decision.sandboxed }),
    outcome: outcomeOf(decision, input),
    read: judgement.read,
    parts: judgement.verdicts.map((verdict) => explainPart(verdict, input)),
    ...(decision.decision === "ask" && proposed !== undefined && { proposedRule: proposed }),
  };
}

function outcomeOf(decision: ExecDecision, input: ExecDecisionInput): string {
  if (decision.decision === "reject") return `It is refused: ${decision.reason}.`;
  if (decision.decision === "ask") {
    const reason = decision.reason === undefined ? "" : ` (${decision.reason})`;
    return `The user is asked first${reason}; once approved it runs without a sandbox.`;
  }
  if (decision.sandboxed) {
    return `It runs at once, inside the ${input.sandboxPolicy.mode} sandbox.`;
  }
  if (input.approvedForSession)
    return "It runs at once without a sandbox: approved for the session.";
  if (decision.allowedByRules) {
    return "It runs at once without a sandbox: rules allow every part of it.";
  }
  return isRestricted(input.sandboxPolicy)
    ? "It runs at once without a sandbox: every part of it is known to be safe."
    : `It runs at once; the sandbox policy ${input.sandboxPolicy.mode} puts no sandbox around it.`;
}

function explainPart(verdict: Verdict, input: ExecDecisionInput): PartExplanation {
  return {
    command: joinWords(verdict.command),
    decision: verdict.decision,
    by: verdict.by,
    because: reasonOf(verdict, input),
    rules: verdict.rules.map((rule) => ({
      rule: renderRule(rule),
      ...(rule.at !== undefined && { place: `${rule.at.file}:${rule.at.line}` }),
      ...(rule.justification !== undefined && { justification: rule.justification }),
    })),
  };
}

function reasonOf(verdict: Verdict, input: ExecDecisionInput): string {
  if (verdict.by === "rule") {
    return verdict.rules.length > 0
      ? "the strictest rule that matches decides"
      : "too large a script to look through for what the rules forbid";
  }
  if (verdict.by === "safe list") return `on the list of ${input.safeList.name}`;
  if (verdict.by === "dangerous list") {
    const list = `on the list of ${input.dangerousList.name}`;
    if (verdict.decision === "prompt") return `${list}, so the user is asked`;
    return `${list}, and approval policy "never" excludes asking`;
  }
  return `no rule and no list knows it, so approval policy ${policyRow(input)}`;
}

function policyRow({ approvalPolicy, sandboxPolicy, escalated }: ExecDecisionInput): string {
  if (approvalPolicy === "untrusted") return "untrusted asks";
  if (approvalPolicy === "never") return "never lets it run";
  if (approvalPolicy === "on-failure") return "on-failure lets it run and asks only if it fails";
  if (!isRestricted(sandboxPolicy)) return `on-request lets it run under ${sandboxPolicy.mode}`;
  return escalated
    ? "on-request asks, since the model wants to leave the sandbox"
    : "on-request lets it run, since the model did not ask to leave the sandbox";
}
