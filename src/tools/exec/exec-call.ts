import { resolve } from "node:path";
import { type CommandResult, failureMessage } from "../../exec/index.js";
import type { ReviewDecision } from "../../protocol/types.js";
import {
  appendAllowPrefixRule,
  decideExec,
  type ExecDecision,
  escalationRefusal,
} from "../../shell/index.js";
import { failed, type ToolContext, type ToolOutput } from "../tool.js";
import { knowledgeOf } from "./knowledge.js";
import { outputOf } from "./output.js";
import { type RanCommand, runAndTell } from "./run-and-tell.js";
import type { ExecServices } from "./services.js";

/** A command that the model wants to run. */
export interface ExecCall {
  argv: readonly string[];
  /** Where it runs, relative to the turn's folder. */
  workdir: string | undefined;
  timeoutMs: number | undefined;
  /** The model asks to run it outside the sandbox. */
  escalated: boolean;
  /** Why, in the model's words; shown to the user. */
  justification: string | undefined;
  /** What the model is told of a command that ran to its end. */
  render(result: CommandResult): string;
}

/** Runs a command as far as the user, the rules and the sandbox allow. */
export async function runExecCall(
  call: ExecCall,
  context: ToolContext,
  services: ExecServices,
): Promise<ToolOutput> {
  const { turn } = context;
  const refusal = call.escalated ? escalationRefusal(turn.approval_policy) : undefined;
  if (refusal !== undefined) return failed(refusal);

  const decision = await decide(call, context, services);
  if (decision.decision === "reject") {
    return failed(`exec command rejected: ${decision.reason}`);
  }
  if (decision.decision === "auto") {
    return runAndRetry(call, context, services, { sandboxed: decision.sandboxed });
  }
  const reason = call.justification ?? decision.reason;
  if (!(await ask(call, context, services, reason))) return rejectedByUser;
  const sandboxed = services.dialect.approvedRunsSandboxed && !call.escalated;
  return runAndRetry(call, context, services, { sandboxed });
}

const rejectedByUser = failed("exec command rejected by user");

async function decide(
  { argv, escalated }: ExecCall,
  { turn }: ToolContext,
  services: ExecServices,
): Promise<ExecDecision> {
  const { dialect, sandbox, approved } = services;
  const { safeList, dangerousList } = knowledgeOf(dialect);
  const input = {
    argv,
    approvalPolicy: turn.approval_policy,
    sandboxPolicy: turn.sandbox_policy,
    escalated,
    safeList,
    dangerousList,
    approvedForSession: approved.has(argv),
    platformSandbox: (await sandbox.unavailable()) === undefined,
    trustedRunsSandboxed: true,
    proposeAmendments: dialect.rules,
  };
  return decideExec(dialect.rules ? { ...input, rules: await services.rules() } : input);
}

/** Asks the user; true means yes, and what the user wants remembered has been. */
async function ask(
  { argv, workdir }: ExecCall,
  context: ToolContext,
  services: ExecServices,
  reason: string | undefined,
): Promise<boolean> {
  const decision = await context.askExecApproval({
    call_id: context.callId,
    command: [...argv],
    cwd: resolve(context.turn.cwd, workdir ?? "."),
    ...(reason === undefined ? {} : { reason }),
  });
  await remember(decision, argv, services);
  return decision !== "denied" && decision !== "abort";
}

async function remember(
  decision: ReviewDecision,
  argv: readonly string[],
  services: ExecServices,
): Promise<void> {
  if (decision === "approved_for_session") services.approved.add(argv);
  if (typeof decision === "string") return;
  const { proposed_execpolicy_amendment: prefix } = decision.approved_execpolicy_amendment;
  await appendAllowPrefixRule(services.rulesFile, prefix);
}

/** Runs it, and once more without the sandbox when that stopped it and the user says so. */
async function runAndRetry(
  call: ExecCall,
  context: ToolContext,
  services: ExecServices,
  { sandboxed }: { sandboxed: boolean },
): Promise<ToolOutput> {
  const ran = await runAndTell(call, context, services, { sandboxed });
  const stopped = ran.denied || ran.result.failure?.kind === "sandbox";
  if (!stopped || !mayRetry.has(context.turn.approval_policy)) {
    return outputOf(call, ran, services.dialect);
  }
  context.emit({ type: "background_event", message: `Execution failed: ${whatStopped(ran)}` });
  const reason = "command failed; retry without sandbox?";
  if (!(await ask(call, context, services, reason))) return rejectedByUser;
  services.approved.add(call.argv);
  context.emit({ type: "background_event", message: "retrying command without sandbox" });
  const again = await runAndTell(call, context, services, { sandboxed: false });
  return outputOf(call, again, services.dialect);
}

/** Under the other policies the model hears of it, and may ask for more itself. */
const mayRetry: ReadonlySet<string> = new Set(["untrusted", "on-failure"]);

function whatStopped({ result }: RanCommand): string {
  if (result.failure !== undefined) return failureMessage(result.failure);
  const { exitCode, stdout, stderr } = result;
  return `sandbox denied exec error, exit code: ${exitCode}, stdout: ${stdout}, stderr: ${stderr}`;
}
