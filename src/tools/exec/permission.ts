import { resolve } from "node:path";
import type { ReviewDecision } from "../../protocol/types.js";
import {
  appendAllowPrefixRule,
  decideExec,
  type ExecDecision,
  escalationRefusal,
  formatAllowPrefixes,
  isOfferable,
  joinWords,
} from "../../shell/index.js";
import { type ArgumentsOf, type ParameterSchema, suggested } from "../parameters.js";
import { failed, isHookDecision, type ToolContext, type ToolOutput } from "../tool.js";
import { knowledgeOf, realProgramName, summarize } from "./knowledge.js";
import type { ExecServices } from "./services.js";

/** A command that needs permission before it runs. */
export interface CommandToPermit {
  argv: readonly string[];
  /** Working directory, relative to the turn's. */
  workdir: string | undefined;
  /** The model asks to run it outside the sandbox. */
  escalated: boolean;
  /** The model's reason, shown to the user. */
  justification: string | undefined;
  /** Command prefix that the model would like allowed from now on. */
  prefixRule?: readonly string[] | undefined;
}

/** Permission to run a command, or the output for the model if refused. */
type Permission =
  | { granted: true; sandboxed: boolean; isTrusted?: boolean }
  | { granted: false; output: RefusedOutput };

/** Output of a command that was not permitted; `reason` is that of the user or of a hook. */
export interface RefusedOutput extends ToolOutput {
  reason?: string;
}

/** Finds out by the policy, the rules and the user whether a command may run, and how. */
export async function permit(
  command: CommandToPermit,
  context: ToolContext,
  services: ExecServices,
): Promise<Permission> {
  const { approval_policy, isConfined = false } = context.turn;
  const refusal = command.escalated ? escalationRefusal(approval_policy) : undefined;
  if (refusal !== undefined) return refuse(refusal);

  const decision = await decide(command, context, services);
  if (decision.decision === "reject") return refuse(`exec command rejected: ${decision.reason}`);
  if (decision.decision === "auto") {
    const { reviewsAll = false } = context.turn;
    const sandboxed = decision.sandboxed || isConfined;
    const reason = command.justification;
    const refused =
      reviewsAll &&
      (await askUser(command, context, services, { reason, isUnconfined: !sandboxed }));
    if (refused) return { granted: false, output: refused };
    return { granted: true, sandboxed, isTrusted: decision.isTrusted ?? false };
  }
  const reason =
    command.justification ?? (isRepetition(command, context) ? mayHaveRun : decision.reason);
  const { proposedAmendment } = decision;
  const isUnconfined = command.escalated;
  const parts = { reason, proposedAmendment, isUnconfined };
  const refused = await askUser(command, context, services, parts);
  if (refused !== undefined) return { granted: false, output: refused };
  return {
    granted: true,
    // Before 0.104 an approved command ran without the sandbox.
    sandboxed: isConfined || (services.since["0.104"] && !command.escalated),
  };
}

/** Reason shown with an approval request, and the rule that would make the next one unnecessary. */
interface QuestionParts {
  reason: string | undefined;
  proposedAmendment?: string[] | undefined;
  /** The command would run without a sandbox. */
  isUnconfined: boolean;
}

/** Asks the user for approval and stores the decision as requested; returns the output of a refusal. */
export async function askUser(
  command: CommandToPermit,
  context: ToolContext,
  services: ExecServices,
  { reason, proposedAmendment, isUnconfined }: QuestionParts,
): Promise<RefusedOutput | undefined> {
  const { argv } = command;
  const cwd = folderOf(command, context);
  const request = {
    call_id: context.callId,
    command: [...argv],
    cwd,
    ...(reason === undefined ? {} : { reason }),
    ...(services.behavior.eventGrouping === "call" && {
      ...(proposedAmendment && { proposed_execpolicy_amendment: proposedAmendment }),
      parsed_cmd: summarize(argv, services.behavior),
    }),
  };
  const decision = await context.askExecApproval(request, { isUnconfined });
  if (isHookDecision(decision)) {
    if (decision.behavior === "allow") return undefined;
    const reason = decision.message;
    return { ...declined(`exec command rejected: ${reason}`), reason, isBlocked: true };
  }
  await remember(decision, { argv, cwd }, context, services);
  const isApproved = decision !== "denied" && decision !== "abort";
  return isApproved ? undefined : { ...declined("exec command rejected by user"), reason: byUser };
}

/** Returns the absolute working directory of a command. */
export function folderOf({ workdir }: CommandToPermit, { turn }: ToolContext): string {
  return resolve(turn.cwd, workdir ?? ".");
}

/** Returns true for a command that may have run before, so that it is repeated only with approval, as far as that may be asked. */
function isRepetition(command: CommandToPermit, context: ToolContext): boolean {
  if (context.turn.approval_policy === "never") return false;
  return context.hasUnknownOutcome?.(command.argv, folderOf(command, context)) ?? false;
}

const mayHaveRun = "The command ran when a worker was lost, and its outcome is unknown.";

function refuse(text: string): Permission {
  return { granted: false, output: declined(text) };
}

function declined(text: string): ToolOutput {
  return { ...failed(text), declined: true };
}

const byUser = "rejected by user";

async function decide(
  command: CommandToPermit,
  context: ToolContext,
  services: ExecServices,
): Promise<ExecDecision> {
  const { argv, escalated, prefixRule } = command;
  const { turn } = context;
  const { behavior, sandbox, approved, since } = services;
  const hasRules = since["0.104"];
  const { safeList, dangerousList } = knowledgeOf(behavior);
  const input = {
    argv,
    approvalPolicy: isRepetition(command, context) ? "untrusted" : turn.approval_policy,
    sandboxPolicy: turn.sandbox_policy,
    escalated,
    safeList,
    dangerousList,
    approvedForSession: approved.has(argv, folderOf(command, context)),
    platformSandbox: (await sandbox.unavailable()) === undefined,
    trustedRunsSandboxed: true,
    namesPrograms: () => services.namesPrograms(folderOf(command, context)),
    realName: (program: string) => realProgramName(program, folderOf(command, context)),
    proposeAmendments: hasRules,
    requestedPrefix: prefixRule,
  };
  return decideExec({ ...input, rules: await services.rules() });
}

async function remember(
  decision: ReviewDecision,
  { argv, cwd }: { argv: readonly string[]; cwd: string },
  { emit, informModel }: ToolContext,
  services: ExecServices,
): Promise<void> {
  if (decision === "approved_for_session") services.approved.add(argv, cwd);
  if (typeof decision === "string") return;
  const { proposed_execpolicy_amendment: prefix } = decision.approved_execpolicy_amendment;
  if (!isOfferable(prefix)) {
    const message = `\`${joinWords(prefix)}\` is approved for this time only: a rule that allows it would allow anything. Add it to ${services.rulesFile} yourself if you want that.`;
    emit({ type: "warning", message });
    return;
  }
  await appendAllowPrefixRule(services.rulesFile, prefix);
  if (services.behavior.outputForm !== "2026") return;
  informModel(`Approved command prefix saved:\n${formatAllowPrefixes([prefix])}`);
}

/** Parameters with which the model asks to leave the sandbox, in newer tools. */
export const escalationParameters = {
  justification: {
    type: "string",
    description: "With `require_escalated`: why, as one question to the user.",
  },
  prefix_rule: {
    type: "array",
    items: { type: "string" },
    description:
      "With `require_escalated`: the first words of such commands, if the user should be able to " +
      'allow them once and for all, as in ["npm", "test"].',
  },
  sandbox_permissions: {
    type: "string",
    description: "`use_default`, or `require_escalated` to ask to run outside the sandbox.",
    [suggested]: ["use_default", "require_escalated"],
  },
} as const satisfies Record<string, ParameterSchema>;

/** The arguments that these parameters describe. */
export type EscalationArguments = {
  [Name in keyof typeof escalationParameters]?: ArgumentsOf<(typeof escalationParameters)[Name]>;
};

/** Returns the escalation that the arguments request. */
export function escalationOf(args: EscalationArguments) {
  return {
    escalated: args.sandbox_permissions === "require_escalated",
    justification: args.justification,
    prefixRule: args.prefix_rule,
  };
}
