import type { Era } from "../../compat/index.js";
import { type RequestId, RpcError, type RpcRequest } from "../../jsonrpc/index.js";
import { createDeferred } from "../../lib/async.js";
import { isRecord } from "../../protocol/read/check.js";
import type { Event, EventMsg, ReviewDecision } from "../../protocol/types.js";
import { joinWords } from "../../shell/index.js";
import type { Connection } from "../connection.js";
import { EraEvents } from "../era-shape.js";
import { declinePermissions, readDecision, submitDecision } from "../requests/request.js";
import type { Thread } from "../thread/thread.js";
import { type ToolResult, toolAnswer, toolFailure } from "./tools.js";

/** A turn that a tool call runs. */
interface ToolTurn {
  thread: Thread;
  prompt: string;
  /** Id of the submission; defaults to the counter of the thread. */
  submissionId?: string;
}

/**
 * Runs a turn for a tool call and sends its events as notifications.
 *
 * Cancelling the call interrupts the turn.
 */
export async function runToolTurn(
  { thread, prompt, submissionId }: ToolTurn,
  connection: Connection,
  request: RpcRequest,
): Promise<ToolResult> {
  const { mcpThreadIds } = connection.server.parts.era.rpc;
  const end = new TurnEnd(mcpThreadIds ? thread.id : undefined);
  const joins = thread.isBusy; // input that joins a turn ends with it, under the id of the turn
  let own: string | undefined;
  const stop = thread.subscribe({
    onEvent(event) {
      notifyEvent(event, thread, connection, request.id);
      elicitApproval({ event, thread, requestId: request.id }, connection);
      if (joins || event.id === own) end.onEvent(event.msg);
    },
    room: () => connection.peer.room(),
    onEnd: () => end.fail("The session has ended"),
  });
  const stopAgents = connection.server.threads.followAgents(thread, (event, agent) =>
    elicitApproval({ event, thread: agent, requestId: request.id }, connection),
  );
  request.signal.addEventListener("abort", () => void thread.interrupt().catch(() => undefined), {
    once: true,
  });
  own = thread.submit(
    { type: "user_input", items: [{ type: "text", text: prompt }] },
    submissionId,
    request.trace,
  );
  try {
    return await end.result;
  } finally {
    stop();
    stopAgents();
  }
}

/** Notifies the client of the configuration of a session. */
export function notifyConfigured(
  thread: Thread,
  connection: Connection,
  requestId: RequestId,
): void {
  notifyEvent({ id: "", msg: thread.configured }, thread, connection, requestId);
}

function notifyEvent(
  event: Event,
  thread: Thread,
  { peer, server }: Connection,
  requestId: RequestId,
): void {
  const { era } = server.parts;
  const msg = new EraEvents(era).toShown(event);
  if (msg === undefined) return;
  const meta = era.rpc.mcpThreadIds ? { requestId, threadId: thread.id } : { requestId };
  peer.notify("codex/event", { _meta: meta, id: event.id, msg });
}

/** Resolves with the result of a turn when it ends. */
class TurnEnd {
  #threadId: string | undefined;
  #result = createDeferred<ToolResult>();
  #hasStarted = false;
  #error: string | undefined;

  constructor(threadId: string | undefined) {
    this.#threadId = threadId;
  }

  get result(): Promise<ToolResult> {
    return this.#result.promise;
  }

  onEvent(msg: EventMsg): void {
    switch (msg.type) {
      case "task_started":
        this.#hasStarted = true;
        return;
      case "error":
        // After an error a started turn still ends; a rejected submission never starts one.
        this.#error = msg.message;
        if (!this.#hasStarted) this.fail(msg.message);
        return;
      case "turn_aborted":
        this.fail(`The turn was aborted: ${msg.reason}`);
        return;
      case "task_complete":
        if (this.#error !== undefined) this.fail(this.#error);
        else this.#result.resolve(toolAnswer(msg.last_agent_message ?? "", this.#threadId));
    }
  }

  fail(message: string): void {
    this.#result.resolve(toolFailure(message));
  }
}

/** An event of a session that a tool call waits for. */
interface ToolEvent {
  event: Event;
  thread: Thread;
  requestId: RequestId;
}

/** Requests an approval from the user through the elicitation of the client. */
function elicitApproval(
  { event, thread, requestId }: ToolEvent,
  { peer, server }: Connection,
): void {
  const params = toElicitation(event, String(requestId), server.parts.era);
  if (params === undefined) {
    declinePermissions(event, thread);
    return;
  }
  const signal = thread.state.requests.signal(params.codex_call_id);
  if (signal === undefined) return;
  void peer.request("elicitation/create", params, signal).then(
    (answer) => submitDecision(event, thread, toDecision(answer)),
    (error: unknown) => {
      // An error reply of a client without elicitation is a denial.
      const isRefusal = error instanceof RpcError && !peer.signal.aborted && !signal.aborted;
      if (isRefusal) submitDecision(event, thread, "denied");
    },
  );
}

/** Reads the decision: `decision` is the field of the reference, `action` that of MCP. */
function toDecision(answer: unknown): ReviewDecision {
  if (!isRecord(answer)) return "denied";
  return readDecision({ decision: answer.decision ?? answer.action });
}

function toElicitation({ id, msg }: Event, toolCallId: string, era: Era) {
  const common = {
    requestedSchema: { type: "object", properties: {} },
    codex_mcp_tool_call_id: toolCallId,
    codex_event_id: id,
  };
  if (msg.type === "exec_approval_request") {
    return {
      message: `Allow Codex to run \`${joinWords(msg.command)}\` in \`${msg.cwd}\`?`,
      ...common,
      codex_elicitation: "exec-approval",
      codex_command: msg.command,
      codex_cwd: msg.cwd,
      codex_call_id: msg.call_id,
    };
  }
  if (msg.type !== "apply_patch_approval_request") return undefined;
  const question = "Allow Codex to apply proposed code changes?";
  return {
    message: msg.reason == null ? question : `${msg.reason}\n${question}`,
    ...common,
    codex_elicitation: "patch-approval",
    ...(msg.reason == null ? {} : { codex_reason: msg.reason }),
    ...(msg.grant_root == null ? {} : { codex_grant_root: msg.grant_root }),
    codex_changes: new EraEvents(era).toShape(msg).changes,
    codex_call_id: msg.call_id,
  };
}
