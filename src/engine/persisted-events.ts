import type { EngineDialect } from "../protocol/era.js";
import type { EventMsg } from "../protocol/types.js";

type EventType = EventMsg["type"];

/** Whether the log keeps an event: what a resumed conversation shows again, and its bookmarks. */
export function isPersisted(type: EventType, dialect: EngineDialect): boolean {
  return always.has(type) || (dialect.logsTasks && ofTasks.has(type));
}

const always: ReadonlySet<EventType> = new Set<EventType>([
  "user_message",
  "agent_message",
  "agent_reasoning",
  "agent_reasoning_raw_content",
  "token_count",
  "entered_review_mode",
  "exited_review_mode",
  "turn_aborted",
]);

const ofTasks: ReadonlySet<EventType> = new Set<EventType>(["task_started", "task_complete"]);
