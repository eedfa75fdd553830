import { resolve } from "node:path";
import {
  type ExecSessions,
  type SessionAnswer,
  type SessionProblem,
  sessionVariables,
} from "../../exec/index.js";
import { toDuration } from "../../protocol/to-duration.js";
import type { ToolContext, ToolOutput } from "../tool.js";
import { summarize } from "./knowledge.js";
import { type CommandToPermit, permit } from "./permission.js";
import type { ExecServices } from "./services.js";

/** A process that the model wants to start and may leave running. */
export interface SessionToStart extends CommandToPermit {
  terminal: boolean;
  yieldMs: number | undefined;
}

/** How the start went; `refused` is what the model is told of a command that may not run. */
export type SessionStart = SessionAnswer | SessionProblem | { refused: ToolOutput };

/** Starts a process as far as the user, the rules and the sandbox allow, and waits a while for it. */
export async function startSession(
  command: SessionToStart,
  context: ToolContext,
  services: ExecServices,
  sessions: ExecSessions = services.sessions,
): Promise<SessionStart> {
  const { turn, callId, emit, signal } = context;
  const permission = await permit(command, context, services);
  if (!permission.granted) return { refused: permission.output };

  const argv = [...command.argv];
  const cwd = resolve(turn.cwd, command.workdir ?? ".");
  const { terminal, yieldMs } = command;
  const launch = await services.sandbox.prepare({
    argv,
    cwd: turn.cwd,
    workdir: cwd,
    policy: permission.sandboxed ? turn.sandbox_policy : { mode: "danger-full-access" },
    env: { ...services.environment(turn.sandbox_policy), ...sessionVariables },
    terminal,
  });
  if (launch instanceof Error) return { problem: "not-started", message: launch.message };
  for (const warning of launch.warnings) services.warn(warning);
  const parsed_cmd = summarize(argv, services.dialect);
  emit({ type: "exec_command_begin", call_id: callId, command: argv, cwd, parsed_cmd });
  return sessions.start(
    {
      launch,
      terminal,
      ...(yieldMs === undefined ? {} : { yieldMs }),
      onOutput: (stream, chunk) =>
        emit({
          type: "exec_command_output_delta",
          call_id: callId,
          stream,
          chunk: chunk.toString("base64"),
        }),
      onEnd: ({ exitCode, text, durationMs }) =>
        emit({
          type: "exec_command_end",
          call_id: callId,
          stdout: text,
          stderr: "",
          aggregated_output: text,
          exit_code: exitCode,
          duration: toDuration(durationMs),
          formatted_output: text,
        }),
    },
    signal,
  );
}
