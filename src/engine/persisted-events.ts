import type { EventMsg } from "../protocol/types.js";

/** The events that the log keeps: what a resumed conversation shows again, and its bookmarks. */
export const persistedEvents: ReadonlySet<EventMsg["type"]> = new Set<EventMsg["type"]>([
  "user_message",
  "agent_message",
  "agent_reasoning",
  "agent_reasoning_raw_content",
  "token_count",
  "entered_review_mode",
  "exited_review_mode",
  "task_started",
  "task_complete",
  "turn_aborted",
]);
