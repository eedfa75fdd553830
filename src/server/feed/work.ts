import type { ThreadGoal } from "../../protocol/rpc/v2/goal.js";
import type { Goal } from "../../protocol/types.js";
import { type Projections, turnOf } from "./projection.js";

/** Projections of the goal, the queue, the rewinds and the failed calls of a thread. */
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
  thread_queue_changed(_, projection) {
    projection.notify("thread/queue/changed", { threadId: projection.threadId });
  },
  tool_call_failed(event, projection) {
    const { call_id: itemId, tool, message } = event.msg;
    const { threadId } = projection;
    const turnId = turnOf(event, projection);
    projection.notify("item/toolCall/failed", { threadId, turnId, itemId, tool, message });
  },
  thread_rewound({ msg }, projection) {
    if (msg.dry_run) return;
    const { kind, what, turn_id: turnId } = msg.rewind;
    projection.notify("thread/rewound", { threadId: projection.threadId, kind, what, turnId });
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
