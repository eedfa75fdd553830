import { constants } from "node:os";
import { resolve } from "node:path";
import type { ExecBehavior } from "../../compat/index.js";
import {
  type CommandResult,
  type CommandStart,
  type FinishedCommand,
  failureMessage,
  formattedOutput,
  plainOutput,
  runCommand,
  structuredOutput,
  usualCapture,
} from "../../exec/index.js";
import type { ExecCommandSource } from "../../protocol/types.js";
import { toDuration } from "../../protocol/write.js";
import type { SandboxKind } from "../../sandbox/index.js";
import type { ToolContext } from "../tool.js";
import {
  beginEvent,
  type CommandEnd,
  type CommandInfo,
  describeCommand,
  endEvent,
  failedEnd,
} from "./command-events.js";
import { mayChangeFiles } from "./knowledge.js";
import type { CommandToPermit } from "./permission.js";
import { type ExecServices, hostingOf, policyOf } from "./services.js";

/** A command that has ended, and whether the sandbox is why it failed. */
export interface RanCommand {
  result: CommandResult;
  denied: boolean;
}

/** The part of a tool context that running a command needs. */
export type RunContext = Pick<
  ToolContext,
  "callId" | "turn" | "emit" | "room" | "settled" | "signal" | "beforeCommand"
>;

/** A command that runs to its end. */
interface CommandToRun extends Pick<CommandToPermit, "argv" | "workdir"> {
  timeoutMs: number | undefined;
  /** Source of the command; the model by default. */
  source?: ExecCommandSource;
}

/** Describes the command of a call for events. */
export function commandInfo(
  { argv, workdir, source = "agent" }: CommandToRun,
  { callId, turn }: Pick<ToolContext, "callId" | "turn">,
  { behavior }: ExecServices,
): CommandInfo {
  const cwd = resolve(turn.cwd, workdir ?? ".");
  return describeCommand({ callId, argv, cwd, source }, behavior);
}

/** Runs a command and emits its begin, output and end events. */
export async function runReported(
  call: CommandToRun,
  context: RunContext,
  services: ExecServices,
  { sandboxed, isTrusted = false }: { sandboxed: boolean; isTrusted?: boolean },
): Promise<RanCommand> {
  const { emit, signal } = context;
  const { behavior, cut, since } = services;
  const info = commandInfo(call, context, services);
  emit(beginEvent(info, behavior));
  if (context.settled !== undefined) await context.settled();

  const result = await run(call, context, services, { cwd: info.cwd, sandboxed });
  signal.throwIfAborted();
  const ended = result.failure === undefined && !result.timedOut;
  // Before 0.104 safe commands ran unconfined, so their failures were their own.
  const rule = since["0.104"] || isTrusted ? "telltale-output" : "any-failure";
  const ran = { result, denied: ended && wasDenied(result, rule) };
  emit(endEvent(info, endOf(ran, behavior, cut), behavior));
  return ran;
}

async function run(
  call: CommandToRun,
  { callId, turn, emit, room, signal, beforeCommand }: RunContext,
  services: ExecServices,
  { cwd, sandboxed }: { cwd: string; sandboxed: boolean },
): Promise<CommandResult> {
  const { since, behavior, sandbox, environment, toLaunch, toStart, warn } = services;
  const command: CommandStart = {
    argv: call.source === undefined ? toLaunch(call.argv) : call.argv,
    cwd: turn.cwd,
    workdir: cwd,
    policy: await policyOf(turn, { sandboxed }),
    // Even an unconfined command gets the variable for a disabled network.
    env: environment(turn.sandbox_policy),
  };
  const launch = await sandbox.prepare({ ...command, ...toStart(command) });
  if (launch instanceof Error) return notConfined(launch.message);
  for (const warning of launch.warnings) warn(warning);
  if (mayChangeFiles(call.argv, command.policy, behavior)) await beforeCommand?.();
  const onOutput = (stream: "stdout" | "stderr", chunk: Buffer) => {
    emit({
      type: "exec_command_output_delta",
      call_id: callId,
      stream,
      chunk: chunk.toString("base64"),
    });
    return room?.();
  };
  const timeout = call.timeoutMs === undefined ? {} : { timeoutMs: call.timeoutMs };
  const capture = usualCapture(since["0.104"] ? "streams" : "arrival");
  const hosting = call.source === undefined ? hostingOf(services, callId) : undefined;
  return runCommand({ launch, onOutput, capture, hosting, ...timeout }, signal);
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

function endOf(
  { result, denied }: RanCommand,
  behavior: ExecBehavior,
  cut: ExecServices["cut"],
): CommandEnd {
  if (result.failure !== undefined) return failedEnd(failureMessage(result.failure));
  return {
    stdout: result.stdout,
    stderr: result.stderr,
    aggregated_output: result.aggregated,
    // Until 2026 a refusal of the sandbox counted as not having run.
    exit_code: denied && behavior.failureFormat !== "plain" ? -1 : result.exitCode,
    duration: toDuration(result.durationMs),
    formatted_output: formattedOutput(result, cut),
  };
}

/** Formats a result as JSON, or as plain lines for models that were trained on those. */
export function renderFor(
  { turn }: Pick<ToolContext, "turn">,
  { behavior, cut, outputLimit }: ExecServices,
  result: FinishedCommand,
): string {
  const isPlain = behavior.outputForm !== "2025-09" && turn.family.applyPatchTool === "freeform";
  return isPlain ? plainOutput(result, outputLimit) : structuredOutput(result, cut);
}

/** Result of a command that ended. */
export interface EndedCommand {
  sandbox: SandboxKind;
  exitCode: number;
  stdout: string;
  stderr: string;
  aggregated: string;
}

/**
 * Rule for attributing a failure to the sandbox: `any-failure` takes every exit code but 0 and 127
 * for a denial, `telltale-output` looks for typical messages.
 */
export type DenialRule = "any-failure" | "telltale-output";

/** Returns true if the sandbox is likely the reason that a command failed. */
export function wasDenied(command: EndedCommand, rule: DenialRule): boolean {
  const { sandbox, exitCode } = command;
  if (sandbox === "none" || exitCode === 0) return false;
  if (rule === "any-failure") return exitCode !== commandNotFound;
  return showsDenial(command) || (sandbox === "bubblewrap" && exitCode === killedByFilter);
}

const commandNotFound = 127;
const killedByFilter = 128 + (constants.signals.SIGSYS ?? 31);

const denialMessages =
  /operation not permitted|permission denied|read-only file system|seccomp|sandbox|landlock|failed to write file/i;

function showsDenial({ stdout, stderr, aggregated }: EndedCommand): boolean {
  return [stderr, stdout, aggregated].some((text) => denialMessages.test(text));
}
