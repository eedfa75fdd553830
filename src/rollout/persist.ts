import type { EngineDialect } from "../protocol/era.js";
import type { EventMsg, ResponseItem } from "../protocol/types.js";

/** Whether a rollout keeps an event: what a resumed conversation shows again, and its bookmarks. */
export function isPersistedEvent(
  msg: EventMsg,
  { logsTasks }: Pick<EngineDialect, "logsTasks">,
): boolean {
  // A plan is cut out of a message, so no item of the conversation tells it.
  if (msg.type === "item_completed") return msg.item?.type === "Plan";
  return always.has(msg.type) || (logsTasks && ofTasks.has(msg.type));
}

/** Whether a rollout keeps an item: all that have a kind we know. */
export function isPersistedItem(item: Pick<ResponseItem, "type">): boolean {
  return item.type !== "other";
}

const always: ReadonlySet<EventMsg["type"]> = new Set<EventMsg["type"]>([
  "user_message",
  "agent_message",
  "agent_reasoning",
  "agent_reasoning_raw_content",
  "token_count",
  "context_compacted",
  "entered_review_mode",
  "exited_review_mode",
  "thread_rolled_back",
  "turn_aborted",
]);

const ofTasks: ReadonlySet<EventMsg["type"]> = new Set<EventMsg["type"]>([
  "task_started",
  "task_complete",
]);
