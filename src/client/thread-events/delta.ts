import type { ThreadEvent, Usage } from "./event.generated.js";

/**
 * The next text of an item that has not completed; its `item.completed` has the whole text.
 *
 * Consecutive texts of one item are joined while the consumer is behind.
 */
export interface ItemDeltaEvent {
  /** The kind of event. */
  type: "item.delta";
  /** The id of the item, as in its `item.completed`. */
  item_id: string;
  /** The kind of the item. The text of a `tool_call` is what the tool passed to `progress`. */
  item_type: "agent_message" | "reasoning" | "command_execution" | "tool_call";
  /** Text to append. */
  delta: string;
}

/** The tokens that the thread has used, after each request to the model. */
export interface UsageUpdatedEvent {
  /** The kind of event. */
  type: "usage.updated";
  /** The tokens so far. */
  usage: Usage;
}

/** Event of a turn in progress, for `runStreamed` with `deltas`. */
export type ThreadDelta = ItemDeltaEvent | UsageUpdatedEvent;

/** Event of `runStreamed` with `deltas`. */
export type ThreadStreamEvent = ThreadEvent | ThreadDelta;
