import type { AppServerClient, ServerNotification, ThreadFeed } from "../../client/index.js";
import { createDeferred } from "../../lib/async.js";
import { CodexError } from "../../protocol/error.js";
import type { Turn } from "../../protocol/rpc/v2/turn.js";

/** A goal to work on. */
interface GoalRequest {
  client: AppServerClient;
  threadId: string;
  feed: ThreadFeed;
  objective: string;
  onNotification(notification: ServerNotification): void;
  /** Interrupts the running turn, which is then the last one. */
  signal: AbortSignal;
}

/** End of the work on a goal. */
export interface GoalOutcome {
  /** The last turn. */
  turn: Turn;
  /** Status of the goal; `active` if the last turn was interrupted. */
  status: string;
}

/**
 * Sets the goal of a thread and follows its turns; resolves when no other turn follows.
 *
 * Rejects if the goal is refused or the connection is lost.
 */
export async function runGoal(request: GoalRequest): Promise<GoalOutcome> {
  const { client, threadId, feed, objective, onNotification, signal } = request;
  const ended = createDeferred<GoalOutcome>();
  ended.promise.catch(() => undefined); // awaited below, unless the goal is refused
  let turnId: string | undefined;
  let status = "active";
  feed.follow(threadId, (notification) => {
    onNotification(notification);
    if (notification.method === "turn/started") turnId = notification.params.turn.id;
    else if (notification.method === "thread/goal/updated")
      status = notification.params.goal.status;
    else if (notification.method === "thread/goal/cleared") status = "cleared";
    else if (notification.method === "turn/completed") {
      const { turn } = notification.params;
      const isLast = status !== "active" || turn.status !== "completed";
      if (isLast) ended.resolve({ turn, status });
    }
  });
  const onAbort = () => {
    const id = turnId ?? "";
    void client.request("turn/interrupt", { threadId, turnId: id }).catch(() => undefined);
  };
  const gone = () =>
    ended.reject(new CodexError("connection", "Connection lost before the goal was reached"));
  client.signal.addEventListener("abort", gone, { once: true });
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    await client.request("thread/goal/set", { threadId, objective, status: "active" });
    return await ended.promise;
  } finally {
    signal.removeEventListener("abort", onAbort);
    client.signal.removeEventListener("abort", gone);
  }
}
