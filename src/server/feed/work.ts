import type { ThreadGoal } from "../../protocol/rpc/v2/goal.js";
import type { Goal } from "../../protocol/types.js";
import type { Projections } from "./projection.js";

/** Projections of the goal and the queue of a thread. */
export const workProjections = {
  thread_goal_updated({ msg }, projection) {
    const { threadId } = projection;
    projection.notify("thread/goal/updated", {
      threadId,
      turnId: msg.turnId ?? null,
      goal: toThreadGoal(threadId, msg.goal),
    });
  },
  thread_goal_cleared(_, projection) {
    projection.notify("thread/goal/cleared", { threadId: projection.threadId });
  },
  thread_queue_changed({ msg: { change } }, projection) {
    const { threadId, messages, queued } = projection;
    if (change.type === "added" || change.type === "returned") {
      queued.set(change.input.id, change.input.client_id ?? null);
    } else if (change.type === "started") {
      messages.expect(change.turn_id, queued.get(change.id) ?? null);
      queued.delete(change.id);
    } else if (change.type === "removed") queued.delete(change.id);
    projection.notify("thread/queue/changed", { threadId });
  },
} satisfies Projections;

/** Converts a goal to v2. */
export function toThreadGoal(threadId: string, goal: Goal): ThreadGoal {
  const { objective, status, tokenBudget, tokensUsed, timeUsedSeconds } = goal;
  const { createdAt, updatedAt } = goal;
  return {
    threadId,
    objective,
    status,
    tokenBudget: tokenBudget ?? null,
    tokensUsed,
    timeUsedSeconds,
    createdAt,
    updatedAt,
  };
}
