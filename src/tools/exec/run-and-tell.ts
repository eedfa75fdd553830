import { resolve } from "node:path";
import {
  type CommandResult,
  failureMessage,
  formattedOutput,
  runCommand,
} from "../../exec/index.js";
import { toDuration } from "../../protocol/to-duration.js";
import type { ExecCommandBeginEvent, ExecCommandEndEvent } from "../../protocol/types.js";
import { wasDenied } from "../../sandbox/index.js";
import type { ToolContext } from "../tool.js";
import type { ExecCall } from "./exec-call.js";
import { summarize } from "./knowledge.js";
import type { ExecServices } from "./services.js";

/** A command that has ended, and whether the sandbox is why it failed. */
export interface RanCommand {
  result: CommandResult;
  denied: boolean;
}

/** Runs a command and tells the client of its begin, its output and its end. */
export async function runAndTell(
  call: ExecCall,
  context: ToolContext,
  services: ExecServices,
  { sandboxed }: { sandboxed: boolean },
): Promise<RanCommand> {
  const { callId, turn, emit, signal } = context;
  const cwd = resolve(turn.cwd, call.workdir ?? ".");
  emit(beginEvent(call, context, services));

  const result = await run(call, context, services, { cwd, sandboxed });
  signal.throwIfAborted();
  const ended = result.failure === undefined && !result.timedOut;
  const ran = { result, denied: ended && wasDenied(result, services.dialect.denialRule) };
  emit(endEvent(callId, ran, services));
  return ran;
}

/** Tells that a command begins. */
export function beginEvent(
  { argv, workdir }: ExecCall,
  { callId, turn }: ToolContext,
  { dialect }: ExecServices,
): ExecCommandBeginEvent {
  return {
    type: "exec_command_begin",
    call_id: callId,
    command: [...argv],
    cwd: resolve(turn.cwd, workdir ?? "."),
    parsed_cmd: summarize(argv, dialect),
  };
}

/** Tells that a command ended without an exit code of its own, and why. */
export function failureEvent(call_id: string, message: string): ExecCommandEndEvent {
  return {
    type: "exec_command_end",
    call_id,
    stdout: "",
    stderr: message,
    aggregated_output: message,
    exit_code: -1,
    duration: toDuration(0),
    formatted_output: message,
  };
}

async function run(
  call: ExecCall,
  { callId, turn, emit, signal }: ToolContext,
  { sandbox, environment, warn }: ExecServices,
  { cwd, sandboxed }: { cwd: string; sandboxed: boolean },
): Promise<CommandResult> {
  const launch = await sandbox.prepare({
    argv: call.argv,
    cwd: turn.cwd,
    workdir: cwd,
    policy: sandboxed ? turn.sandbox_policy : { mode: "danger-full-access" },
    // Without the sandbox too a command is told that the policy has no network.
    env: environment(turn.sandbox_policy),
  });
  if (launch instanceof Error) return notConfined(launch.message);
  for (const warning of launch.warnings) warn(warning);
  const onOutput = (stream: "stdout" | "stderr", chunk: Buffer) =>
    emit({
      type: "exec_command_output_delta",
      call_id: callId,
      stream,
      chunk: chunk.toString("base64"),
    });
  const timeout = call.timeoutMs === undefined ? {} : { timeoutMs: call.timeoutMs };
  return runCommand({ launch, onOutput, ...timeout }, signal);
}

/** A command that cannot be confined as asked does not run at all. */
function notConfined(message: string): CommandResult {
  return {
    exitCode: -1,
    stdout: "",
    stderr: message,
    aggregated: message,
    durationMs: 0,
    timedOut: false,
    interrupted: false,
    sandbox: "none",
    failure: { kind: "sandbox", message },
  };
}

function endEvent(
  call_id: string,
  { result, denied }: RanCommand,
  { dialect, cut }: ExecServices,
): ExecCommandEndEvent {
  const duration = toDuration(result.durationMs);
  if (result.failure !== undefined) return failureEvent(call_id, failureMessage(result.failure));
  return {
    type: "exec_command_end",
    call_id,
    stdout: result.stdout,
    stderr: result.stderr,
    aggregated_output: result.aggregated,
    // Until 2026 a refusal of the sandbox counted as not having run.
    exit_code: denied && dialect.failureForm !== "plain" ? -1 : result.exitCode,
    duration,
    formatted_output: formattedOutput(result, cut),
  };
}
