import { CodexError } from "../../protocol/error.js";
import type { ThreadElicitationResponse } from "../../protocol/rpc/v2/elicitation.js";
import type { V2Handlers } from "../connection.js";
import type { Thread } from "../thread/thread.js";

/** Handlers that count the questions that clients ask the user themselves. */
export const elicitationHandlers = {
  "thread/increment_elicitation": ({ threadId }, connection) =>
    change(connection.thread(threadId), 1),
  "thread/decrement_elicitation": ({ threadId }, connection) =>
    change(connection.thread(threadId), -1),
} satisfies Partial<V2Handlers>;

function change(thread: Thread, step: 1 | -1): ThreadElicitationResponse {
  const count = thread.elicitations + step;
  if (count < 0) {
    throw new CodexError("invalid_request", "out-of-band elicitation count is already zero");
  }
  const paused = count > 0;
  if (paused !== thread.elicitations > 0) thread.submit({ type: "hold_time_limits", held: paused });
  thread.elicitations = count;
  return { count, paused };
}
