import type { ExecBehavior } from "../../compat/index.js";
import {
  type CommandResult,
  deniedMessage,
  deniedText,
  executionError,
  failureMessage,
} from "../../exec/index.js";
import { failed, ok, type ToolContext, type ToolOutput } from "../tool.js";
import { reportCall } from "./command-events.js";
import { askUser, type CommandToPermit, folderOf, permit } from "./permission.js";
import { commandInfo, type RanCommand, runReported } from "./run-command.js";
import type { ExecServices } from "./services.js";

/** A command that the model wants to run to its end. */
export interface ExecCall extends CommandToPermit {
  timeoutMs: number | undefined;
  /** Formats the result of a finished command for the model. */
  render(result: CommandResult): string;
}

/** Runs a command as far as the user, the rules and the sandbox allow. */
export async function runExecCall(
  call: ExecCall,
  context: ToolContext,
  services: ExecServices,
): Promise<ToolOutput> {
  if (services.behavior.eventGrouping === "run") return runPermitted(call, context, services);
  const reported = reportCall(commandInfo(call, context, services), context, services.behavior);
  const output = await runPermitted(call, reported.context, services);
  reported.end(output);
  return output;
}

async function runPermitted(
  call: ExecCall,
  context: ToolContext,
  services: ExecServices,
): Promise<ToolOutput> {
  const permission = await permit(call, context, services);
  if (!permission.granted) return permission.output;
  const ran = await runReported(call, context, services, permission);
  const stopped = ran.denied || ran.result.failure?.kind === "sandbox";
  const { approval_policy, isConfined } = context.turn;
  if (!stopped || isConfined || !mayRetry.has(approval_policy)) {
    return outputOf(call, ran, services.behavior);
  }
  return retryWithoutSandbox(call, ran, context, services);
}

/** Under the other policies the model gets the failure and may ask for escalation itself. */
const mayRetry: ReadonlySet<string> = new Set(["untrusted", "on-failure"]);

/** Asks the user to rerun a command that the sandbox stopped, and runs it unconfined if approved. */
async function retryWithoutSandbox(
  call: ExecCall,
  ran: RanCommand,
  context: ToolContext,
  services: ExecServices,
): Promise<ToolOutput> {
  const cause = whatStopped(ran, services.behavior);
  context.emit({ type: "background_event", message: `Execution failed: ${cause}` });
  const reason = "command failed; retry without sandbox?";
  const refused = await askUser(call, context, services, { reason, isUnconfined: true });
  if (refused !== undefined) return refused;
  // An approval for one retry is not an approval for the session; before 0.104 it was.
  if (!services.since["0.104"]) services.approved.add(call.argv, folderOf(call, context));
  context.emit({ type: "background_event", message: "retrying command without sandbox" });
  const again = await runReported(call, context, services, { sandboxed: false });
  return outputOf(call, again, services.behavior);
}

function whatStopped({ result }: RanCommand, { failureFormat }: ExecBehavior): string {
  if (result.failure !== undefined) return failureMessage(result.failure);
  if (failureFormat === "plain") return deniedMessage(result);
  const { exitCode, stdout, stderr } = result;
  return `sandbox denied exec error, exit code: ${exitCode}, stdout: ${stdout}, stderr: ${stderr}`;
}

/** Returns the output of a command for the model. */
function outputOf(
  call: ExecCall,
  { result, denied }: RanCommand,
  behavior: ExecBehavior,
): ToolOutput {
  const { failureFormat } = behavior;
  if (result.failure !== undefined) {
    const isPlain = failureFormat === "plain" || result.failure.kind === "sandbox";
    return failed(
      isPlain
        ? `execution error: ${failureMessage(result.failure)}`
        : executionError(result.failure),
    );
  }
  if (denied && failureFormat !== "plain") return failed(deniedText(result, failureFormat));
  const text = call.render(result);
  const ended = { result: { response: result.aggregated } };
  return { ...(result.exitCode === 0 ? ok(text) : failed(text)), ...ended };
}
