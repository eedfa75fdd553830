import type { RequestId, RpcRequest } from "../../jsonrpc/index.js";
import { createDeferred } from "../../lib/deferred.js";
import type { Event, EventMsg } from "../../protocol/types.js";
import { isToldIn, toEraEvent } from "../era-shape.js";
import type { Thread } from "../threads/index.js";
import type { V1Connection } from "../v1/connection.js";
import { elicitApproval } from "./elicit-approval.js";
import { type ToolResult, toolAnswer, toolFailure } from "./tool-result.js";

/** What a call of a tool asks of a session. */
export interface ToolTurn {
  thread: Thread;
  prompt: string;
  /** The id that its events carry; counted by the thread when absent. */
  submissionId?: string;
}

/**
 * Runs a turn for a call and tells its events as notifications.
 *
 * A call that the client cancels interrupts the turn.
 */
export async function runToolTurn(
  { thread, prompt, submissionId }: ToolTurn,
  connection: V1Connection,
  request: RpcRequest,
): Promise<ToolResult> {
  const { namesThreads } = connection.server.parts.era.rpc;
  const end = new TurnEnd(namesThreads ? thread.id : undefined);
  const joins = thread.isBusy; // what joins a turn ends with it, under its id
  let own: string | undefined;
  const stop = thread.subscribe({
    onEvent(event) {
      tell(event, thread, connection, request.id);
      elicitApproval({ event, thread, requestId: request.id }, connection);
      if (joins || event.id === own) end.onEvent(event.msg);
    },
    room: () => connection.peer.room(),
    onEnd: () => end.fail("The session has ended"),
  });
  request.signal.addEventListener("abort", () => void thread.interrupt().catch(() => undefined), {
    once: true,
  });
  own = thread.submit(
    { type: "user_input", items: [{ type: "text", text: prompt }] },
    submissionId,
  );
  try {
    return await end.result;
  } finally {
    stop();
  }
}

/** Tells how a session was set up, before anything happens in it. */
export function tellConfigured(
  thread: Thread,
  connection: V1Connection,
  requestId: RequestId,
): void {
  tell({ id: "", msg: thread.configured }, thread, connection, requestId);
}

function tell(
  event: Event,
  thread: Thread,
  { peer, server }: V1Connection,
  requestId: RequestId,
): void {
  const { events, rpc } = server.parts.era;
  if (!isToldIn(event.msg, events)) return;
  const meta = rpc.namesThreads ? { requestId, threadId: thread.id } : { requestId };
  peer.notify("codex/event", { _meta: meta, id: event.id, msg: toEraEvent(event, events) });
}

/** Waits for the end of a turn. */
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
        // A turn goes on to its end after an error; a submission that was refused does not begin.
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
