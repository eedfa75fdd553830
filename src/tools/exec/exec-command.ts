import {
  answerLimit,
  approxTokenCount,
  type OutputLimit,
  type SessionAnswer,
  type SessionOutput,
  type SessionProblem,
  sessionOutput,
  truncateText,
  truncateWithNotice,
} from "../../exec/index.js";
import { recognizePatchCall } from "../../patch/index.js";
import { defineTool, offerOnly } from "../define-tool.js";
import { type ArgumentsOf, parameters } from "../parameters.js";
import { runPatchCall } from "../patch/patch-call.js";
import {
  changesNothing,
  failed,
  ok,
  type Tool,
  type ToolContext,
  type ToolOutput,
} from "../tool.js";
import { escalationOf, escalationParameters, type RefusedOutput } from "./permission.js";
import type { ExecServices } from "./services.js";
import { startSession } from "./start-session.js";

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

const writeStdinInput = parameters(
  {
    chars: { type: "string", description: "What to type; omit it to only read the output." },
    ...outputParameters,
    session_id: { type: "number", description: "The id of the process." },
  },
  ["session_id"],
);

/** Starts a script that may keep running between calls. */
export function execCommandTool(services: ExecServices): Tool {
  const tool = defineTool({
    name: "exec_command",
    description:
      "Runs a script in a shell. Returns its output, or, when it has not ended in time, an id by " +
      "which `write_stdin` continues it.",
    input: execCommandInput,
    run: (args, context) => start(args, context, services),
  });
  return isOlder(services) ? offerOnly(tool, olderParameters, ["cmd"]) : tool;
}

const olderParameters = ["cmd", "yield_time_ms", "max_output_tokens", "shell", "login"];

/** Writes to a running script, or polls it. */
export function writeStdinTool(services: ExecServices): Tool {
  const tool = defineTool({
    name: "write_stdin",
    description:
      "Types into a process that `exec_command` left running, and returns its output since the last " +
      "call.",
    input: writeStdinInput,
    async run(args, { signal, emit, isNested, turn, beforeCommand }) {
      const callId = services.sessions.callOf(args.session_id);
      const mayChange = callId !== undefined && !services.sessions.isConfined(args.session_id);
      if (turn.isConfined && mayChange && args.chars) {
        return failed(`input rejected: ${changesNothing}, and the process may change files`);
      }
      if (args.chars) await beforeCommand?.();
      const answer = await services.sessions.write(
        args.session_id,
        args.chars ?? "",
        args.yield_time_ms === undefined ? {} : { yieldMs: args.yield_time_ms },
        signal,
      );
      if (
        callId !== undefined &&
        services.behavior.eventGrouping === "call" &&
        !("problem" in answer)
      ) {
        const process_id = String(args.session_id);
        const stdin = args.chars ?? "";
        emit({ type: "terminal_interaction", call_id: callId, process_id, stdin });
      }
      const limits = { maxTokens: args.max_output_tokens, isNested };
      const output = toOutput(answer, limits, services);
      const { result } = output;
      if (callId === undefined || typeof result !== "object") return output;
      return { ...output, result: { ...result, callId } };
    },
  });
  if (!isOlder(services)) return tool;
  const names = ["session_id", "chars", "yield_time_ms", "max_output_tokens"];
  return offerOnly(tool, names, ["session_id", "chars"]);
}

async function start(
  args: ArgumentsOf<typeof execCommandInput>,
  context: ToolContext,
  services: ExecServices,
): Promise<ToolOutput> {
  const shell = args.shell === undefined ? {} : { shell: args.shell };
  const argv = services.shellArgv(args.cmd, { login: args.login ?? true, ...shell });
  const patched = await startPatch(argv, args.workdir, context, services);
  if (patched !== undefined) return patched;
  const started = await startSession(
    {
      argv,
      script: args.cmd,
      workdir: args.workdir,
      ...escalationOf(args),
      terminal: args.tty ?? isOlder(services),
      yieldMs: args.yield_time_ms,
    },
    context,
    services,
  );
  if ("refused" in started) return refusedOutput(started.refused, services);
  const { isNested } = context;
  return toOutput(started, { maxTokens: args.max_output_tokens, isNested }, services);
}

/** The reference dumps its error; ours has a plain text. */
function refusedOutput(output: RefusedOutput, { since }: ExecServices): ToolOutput {
  const { reason } = output;
  if (reason === undefined || !since["0.166"] || since.current) return output;
  const message = JSON.stringify(`Rejected(${JSON.stringify(reason)})`);
  return { ...output, text: `exec_command failed: CreateProcess { message: ${message} }` };
}

/** Applies a script that is a call of apply_patch; undefined if it is an ordinary script. */
async function startPatch(
  argv: readonly string[],
  workdir: string | undefined,
  context: ToolContext,
  services: ExecServices,
): Promise<ToolOutput | undefined> {
  const { sessionPatches } = services.behavior;
  if (sessionPatches === "run") return undefined;
  const call = recognizePatchCall(argv);
  if (call.kind === "none") return undefined;
  const output = await runPatchCall(call, { workdir }, context, services);
  if (context.isNested && output.success) {
    const ended = { chunkId: "", wallTimeMs: 0, exitCode: 0, text: output.text };
    return { ...output, value: toValue(ended, services.outputLimit) };
  }
  if (sessionPatches === "applied" || !output.success) return output;
  return { ...output, text: `Wall time: 0.0000 seconds\nOutput:\n${output.text}` };
}

function isOlder({ behavior }: ExecServices): boolean {
  return behavior.sessionTools === "2025";
}

function toOutput(
  answer: SessionAnswer | SessionProblem,
  { maxTokens, isNested }: { maxTokens: number | undefined; isNested: boolean | undefined },
  { outputLimit, since }: ExecServices,
): ToolOutput {
  if ("problem" in answer) return failed(`execution error: ${answer.message}`);
  const limit = answerLimit(maxTokens, outputLimit);
  const text = since["0.166"]
    ? sessionOutput(answer, limit, { tokenNotice: true })
    : sessionOutputBefore166(answer, maxTokens, since["0.104"] ? outputLimit : undefined);
  const notices = answer.notices.map((notice) => `${notice}\n`).join("");
  const result = answer.sessionId === undefined ? { response: answer.text } : "running";
  const value = isNested ? { value: toValue(answer, limit) } : {};
  return { ...ok(`${notices}${text}`), result, ...value };
}

/** Before 0.166 the request of the model counted; 0.104 then held the whole answer to 6/5 of its limit. */
function sessionOutputBefore166(
  answer: SessionOutput,
  maxTokens: number | undefined,
  allowed: OutputLimit | undefined,
): string {
  const asked: OutputLimit = { mode: "tokens", limit: maxTokens ?? usualTokens };
  const text = sessionOutput(answer, asked, { tokenNotice: false });
  if (allowed === undefined) return text;
  return truncateText(text, { ...allowed, limit: Math.ceil((allowed.limit * 6) / 5) });
}

const usualTokens = 10_000;

/** Result for scripts. */
function toValue(answer: SessionOutput, limit: OutputLimit): object {
  const { chunkId, wallTimeMs, exitCode, sessionId, text } = answer;
  return {
    chunk_id: chunkId,
    wall_time_seconds: wallTimeMs / 1000,
    ...(exitCode === undefined ? {} : { exit_code: exitCode }),
    ...(sessionId === undefined ? {} : { session_id: sessionId }),
    original_token_count: approxTokenCount(text),
    output: truncateWithNotice(text, limit),
  };
}
