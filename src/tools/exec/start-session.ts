import { resolve } from "node:path";
import type { ExecBehavior } from "../../compat/index.js";
import {
  type CommandStart,
  type ExecSessions,
  type SessionAnswer,
  type SessionEnd,
  type SessionProblem,
  sessionVariables,
} from "../../exec/index.js";
import { toDuration } from "../../protocol/write.js";
import type { ToolContext } from "../tool.js";
import {
  BeginReport,
  beginEvent,
  type CommandEnd,
  type CommandInfo,
  describeCommand,
  endEvent,
  failedEnd,
} from "./command-events.js";
import { mayChangeFiles } from "./knowledge.js";
import { type CommandToPermit, permit, type RefusedOutput } from "./permission.js";
import { type ExecServices, hostingOf, policyOf } from "./services.js";

/** A process to start that may keep running between calls. */
export interface SessionToStart extends CommandToPermit {
  terminal: boolean;
  yieldMs: number | undefined;
  /** Text of the command in lists. Default: its arguments. */
  script?: string;
}

/** Result of the start; `refused` is the output for the model if it was not permitted. */
export type SessionStart = SessionAnswer | SessionProblem | { refused: RefusedOutput };

/** Starts a process as far as the user, the rules and the sandbox allow, and waits a while for it. */
export async function startSession(
  command: SessionToStart,
  context: ToolContext,
  services: ExecServices,
  sessions: ExecSessions = services.sessions,
): Promise<SessionStart> {
  const { behavior } = services;
  const id = sessions.reserveId();
  const info = describeCommand(
    {
      callId: context.callId,
      argv: command.argv,
      cwd: resolve(context.turn.cwd, command.workdir ?? "."),
      source: "unified_exec_startup",
      processId: String(id),
    },
    behavior,
  );
  const isCall = behavior.eventGrouping !== "run";
  const beginning = new BeginReport(() => context.emit(beginEvent(info, behavior)));
  if (isCall && !behavior.beginsAtApproval) beginning.emitOnce();
  const parts = { info, id, isCall, beginning, sessions };
  const started = await startPermitted(command, parts, beginning.watching(context), services);
  if (!isCall || beginning.isSilent("refused" in started ? started.refused : undefined)) {
    return started;
  }
  if (!beginning.isAsked) beginning.emitOnce();
  emitFailure(info, started, context, behavior);
  return started;
}

/** State of the start of a process. */
interface SessionParts {
  info: CommandInfo;
  id: number;
  isCall: boolean;
  beginning: BeginReport;
  sessions: ExecSessions;
}

async function startPermitted(
  command: SessionToStart,
  { info, id, isCall, beginning, sessions }: SessionParts,
  context: ToolContext,
  services: ExecServices,
): Promise<SessionStart> {
  const { turn, callId, emit, emitAfterEnd, room, signal } = context;
  const { behavior } = services;
  const permission = await permit(command, context, services);
  if (!permission.granted) return { refused: permission.output };

  const { terminal, yieldMs } = command;
  const start: CommandStart = {
    argv: info.command,
    cwd: turn.cwd,
    workdir: info.cwd,
    policy: await policyOf(turn, permission),
    env: { ...services.environment(turn.sandbox_policy), ...sessionVariables },
  };
  // In a terminal the user's start-up files may do something else.
  const sooner = terminal ? start : services.toStart(start);
  const launch = await services.sandbox.prepare({ ...start, ...sooner, terminal });
  if (launch instanceof Error) return { problem: "not-started", message: launch.message };
  for (const warning of launch.warnings) services.warn(warning);
  if (context.settled !== undefined) {
    beginning.emitOnce();
    await context.settled();
  }
  if (mayChangeFiles(command.argv, start.policy, behavior)) await context.beforeCommand?.();
  // A process may outlive the turn that started it, and its call is over only when it is.
  const send = isCall ? emitAfterEnd : emit;
  return sessions.start(
    {
      id,
      callId,
      ...(turn.isConfined && { isConfined: true }),
      command: command.script ?? info.command.join(" "),
      cwd: info.cwd,
      launch,
      terminal,
      hosting: hostingOf(services, callId),
      ...(yieldMs === undefined ? {} : { yieldMs }),
      onSpawn: () => beginning.emitOnce(),
      onOutput(stream, chunk) {
        send({
          type: "exec_command_output_delta",
          call_id: callId,
          stream,
          chunk: chunk.toString("base64"),
        });
        return room?.();
      },
      onEnd: (end) => send(endEvent(info, endOf(end), behavior)),
    },
    signal,
  );
}

function endOf({ exitCode, text, durationMs }: SessionEnd): CommandEnd {
  return {
    stdout: text,
    stderr: "",
    aggregated_output: text,
    exit_code: exitCode,
    duration: toDuration(durationMs),
    formatted_output: text,
  };
}

/** Emits the end event of a call whose process did not start. */
function emitFailure(
  info: CommandInfo,
  started: SessionStart,
  { emit }: ToolContext,
  behavior: ExecBehavior,
): void {
  if ("refused" in started) {
    const { text, declined } = started.refused;
    emit(endEvent(info, failedEnd(text), behavior, declined));
  } else if ("problem" in started) {
    emit(endEvent(info, failedEnd(started.message), behavior));
  }
}
