import { ExecSessions, type SessionAnswer, truncateText } from "../../exec/index.js";
import { defineTool } from "../define-tool.js";
import { type ArgumentsOf, parameters } from "../parameters.js";
import { failed, ok, type Tool, type ToolContext, type ToolOutput } from "../tool.js";
import type { ExecServices } from "./services.js";
import { startSession } from "./start-session.js";

const input = parameters(
  {
    input: {
      type: "array",
      items: { type: "string" },
      description:
        "Without `session_id`: the program and its arguments. With it: what to type; its parts " +
        "are joined by blanks, and an empty list only reads the output.",
    },
    session_id: { type: "string", description: "The process to continue; omit it to start one." },
    timeout_ms: {
      type: "number",
      description: "How long to wait for output, in milliseconds: 1000, and at most 60000.",
    },
  },
  ["input"],
);

/** Starts a program in a terminal and types into it, both by the same tool. */
export function unifiedExecTool(services: ExecServices, terminals: ExecSessions): Tool {
  return defineTool({
    name: "unified_exec",
    description:
      "Runs a program in a terminal. Returns its output, and, when it has not ended in time, an " +
      "id by which the next call continues it.",
    input,
    run: (args, context) => run(args, context, { services, terminals }),
  });
}

/** Creates the processes of `unified_exec`; the model chooses how long a call waits for them. */
export function createTerminals(): ExecSessions {
  return new ExecSessions({ shortestYieldMs: 0, shortestLookMs: 0, longestYieldMs: 60_000 }, 1);
}

const usualWaitMs = 1_000;

async function run(
  args: ArgumentsOf<typeof input>,
  context: ToolContext,
  { services, terminals }: { services: ExecServices; terminals: ExecSessions },
): Promise<ToolOutput> {
  const yieldMs = args.timeout_ms ?? usualWaitMs;
  if (args.session_id !== undefined) {
    const id = Number(args.session_id);
    if (!Number.isSafeInteger(id)) return failed(`invalid session_id: ${args.session_id}`);
    const answer = await terminals.write(id, args.input.join(" "), { yieldMs }, context.signal);
    if (!("problem" in answer)) return toOutput(answer);
    const isUnknown = answer.problem === "unknown-session";
    return failure(isUnknown ? `Unknown session id ${id}` : answer.message);
  }
  if (args.input.length === 0) return failure("missing command line for unified exec request");
  const command = {
    argv: args.input,
    workdir: undefined,
    escalated: false,
    justification: undefined,
    terminal: true,
    yieldMs,
  };
  const started = await startSession(command, context, services, terminals);
  if ("refused" in started) return started.refused;
  return "problem" in started ? failure(started.message) : toOutput(started);
}

const outputLimit = { mode: "bytes", limit: 128 * 1024 } as const;

/** The id is absent once the process has ended. */
function toOutput({ sessionId, text, notices }: SessionAnswer): ToolOutput {
  const shown = notices.map((notice) => `${notice}\n`).join("") + truncateText(text, outputLimit);
  const session_id = sessionId === undefined ? null : String(sessionId);
  const result = sessionId === undefined ? { response: text } : "running";
  return { ...ok(JSON.stringify({ session_id, output: shown })), result };
}

function failure(message: string): ToolOutput {
  return failed(`unified exec failed: ${message}`);
}
