import type { ExecBehavior } from "../../compat/index.js";
import { toDuration } from "../../protocol/to-duration.js";
import type {
  ExecCommandBeginEvent,
  ExecCommandEndEvent,
  ExecCommandSource,
  ParsedCommand,
} from "../../protocol/types.js";
import { summarize } from "./knowledge.js";

/** A command as clients are told of it. */
export interface ToldCommand {
  callId: string;
  command: string[];
  cwd: string;
  parsedCmd: ParsedCommand[];
  source: ExecCommandSource;
  /** The session of a process that may go on. */
  processId?: string;
}

/** What decides how a command is told. */
export interface CommandToTell extends Pick<ToldCommand, "callId" | "cwd" | "source"> {
  argv: readonly string[];
  processId?: string;
}

/** A command with its summary, for all events about it; it is summed up for the first of them. */
export function describeCommand(
  { argv, ...command }: CommandToTell,
  dialect: ExecBehavior,
): ToldCommand {
  let parsed: ParsedCommand[] | undefined;
  return {
    ...command,
    command: [...argv],
    get parsedCmd() {
      parsed ??= summarize(argv, dialect);
      return parsed;
    },
  };
}

/** Tells that a command begins. */
export function beginEvent(told: ToldCommand, { saysWhole }: ExecBehavior): ExecCommandBeginEvent {
  const { callId, command, cwd, parsedCmd } = told;
  return {
    type: "exec_command_begin",
    call_id: callId,
    ...(saysWhole && processOf(told)),
    command,
    cwd,
    parsed_cmd: parsedCmd,
    ...(saysWhole && { source: told.source }),
  };
}

/** How a command ended. */
export type CommandEnd = Pick<
  ExecCommandEndEvent,
  "stdout" | "stderr" | "aggregated_output" | "exit_code" | "duration" | "formatted_output"
>;

/** Tells that a command has ended. */
export function endEvent(
  told: ToldCommand,
  end: CommandEnd,
  { saysWhole }: ExecBehavior,
  declined = false,
): ExecCommandEndEvent {
  const { callId, command, cwd, parsedCmd, source } = told;
  if (!saysWhole) return { type: "exec_command_end", call_id: callId, ...end };
  const ended = end.exit_code === 0 ? "completed" : "failed";
  return {
    type: "exec_command_end",
    call_id: callId,
    ...processOf(told),
    command,
    cwd,
    parsed_cmd: parsedCmd,
    source,
    ...end,
    status: declined ? "declined" : ended,
  };
}

/** How a command ends that has no exit code of its own: by the reason why. */
export function failedEnd(message: string): CommandEnd {
  return {
    stdout: "",
    stderr: message,
    aggregated_output: message,
    exit_code: -1,
    duration: toDuration(0),
    formatted_output: message,
  };
}

function processOf({ processId }: ToldCommand): { process_id?: string } {
  return processId === undefined ? {} : { process_id: processId };
}
