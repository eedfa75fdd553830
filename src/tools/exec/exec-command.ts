import { resolve } from "node:path";
import {
  type SessionAnswer,
  type SessionProblem,
  sessionOutput,
  sessionVariables,
} from "../../exec/index.js";
import { toDuration } from "../../protocol/to-duration.js";
import { defineTool } from "../define-tool.js";
import { type ArgumentsOf, parameters } from "../parameters.js";
import { failed, ok, type Tool, type ToolContext, type ToolOutput } from "../tool.js";
import { escalationOf, escalationParameters } from "./escalation.js";
import { summarize } from "./knowledge.js";
import { permit } from "./permission.js";
import type { ExecServices } from "./services.js";

const outputParameters = {
  max_output_tokens: { type: "number", description: "How much of the output is returned." },
  yield_time_ms: {
    type: "number",
    description: "How long to wait for output before the process is left running.",
  },
} as const;

const execCommandInput = parameters(
  {
    cmd: { type: "string", description: "The script." },
    ...escalationParameters,
    login: { type: "boolean", description: "Whether the shell reads the user's profile; it does." },
    ...outputParameters,
    shell: { type: "string", description: "The shell that runs it; the user's own if absent." },
    tty: {
      type: "boolean",
      description: "Whether it gets a terminal; needed to type into it later.",
    },
    workdir: { type: "string", description: "Where it runs." },
  },
  ["cmd"],
);

/** Starts a script that may go on while the model does something else. */
export function execCommandTool(services: ExecServices): Tool {
  return defineTool({
    name: "exec_command",
    description:
      "Runs a script in a shell. Returns its output, or, when it has not ended in time, an id by " +
      "which `write_stdin` goes on with it.",
    input: execCommandInput,
    run: (args, context) => start(args, context, services),
  });
}

/** Goes on with a script that was left running. */
export function writeStdinTool(services: ExecServices): Tool {
  return defineTool({
    name: "write_stdin",
    description:
      "Types into a process that `exec_command` left running, or with nothing to type only looks " +
      "at it, and returns what it has written since.",
    input: parameters(
      {
        chars: { type: "string", description: "What to type; nothing only looks." },
        ...outputParameters,
        session_id: { type: "number", description: "The id of the process." },
      },
      ["session_id"],
    ),
    async run(args, { signal }) {
      const answer = await services.sessions.write(
        args.session_id,
        args.chars ?? "",
        args.yield_time_ms === undefined ? {} : { yieldMs: args.yield_time_ms },
        signal,
      );
      return toOutput(answer, args.max_output_tokens);
    },
  });
}

async function start(
  args: ArgumentsOf<typeof execCommandInput>,
  context: ToolContext,
  services: ExecServices,
): Promise<ToolOutput> {
  const { turn, callId, emit, signal } = context;
  const shell = args.shell === undefined ? {} : { shell: args.shell };
  const argv = services.shellArgv(args.cmd, { login: args.login ?? true, ...shell });
  const command = { argv, workdir: args.workdir, ...escalationOf(args) };
  const permission = await permit(command, context, services);
  if (!permission.granted) return permission.output;

  const cwd = resolve(turn.cwd, args.workdir ?? ".");
  const terminal = args.tty ?? false;
  const launch = await services.sandbox.prepare({
    argv,
    cwd: turn.cwd,
    workdir: cwd,
    policy: permission.sandboxed ? turn.sandbox_policy : { mode: "danger-full-access" },
    env: { ...services.environment(turn.sandbox_policy), ...sessionVariables },
    terminal,
  });
  if (launch instanceof Error) return failed(`execution error: ${launch.message}`);
  for (const warning of launch.warnings) services.warn(warning);
  const parsed_cmd = summarize(argv, services.dialect);
  emit({ type: "exec_command_begin", call_id: callId, command: argv, cwd, parsed_cmd });
  const answer = await services.sessions.start(
    {
      launch,
      terminal,
      ...(args.yield_time_ms === undefined ? {} : { yieldMs: args.yield_time_ms }),
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
  return toOutput(answer, args.max_output_tokens);
}

function toOutput(
  answer: SessionAnswer | SessionProblem,
  maxTokens: number | undefined,
): ToolOutput {
  if ("problem" in answer) return failed(`execution error: ${answer.message}`);
  const text = sessionOutput(answer, maxTokens === undefined ? {} : { maxTokens });
  const notices = answer.notices.map((notice) => `${notice}\n`).join("");
  return ok(`${notices}${text}`);
}
