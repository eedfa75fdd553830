import type { Event, EventMsg } from "../../protocol/types.js";

/** A piece of streamed text said once more with the item it belongs to; nothing for other events. */
export function toContentDelta(event: Event): EventMsg | undefined {
  const { msg, thread_id = "", turn_id = "", item_id = "", part } = event;
  const place = { thread_id, turn_id, item_id };
  switch (msg.type) {
    case "agent_message_delta":
      return { type: "agent_message_content_delta", ...place, delta: msg.delta };
    case "agent_reasoning_delta":
      return {
        type: "reasoning_content_delta",
        ...place,
        delta: msg.delta,
        ...(part === undefined ? {} : { summary_index: part }),
      };
    case "agent_reasoning_raw_content_delta":
      return {
        type: "reasoning_raw_content_delta",
        ...place,
        delta: msg.delta,
        ...(part === undefined ? {} : { content_index: part }),
      };
    default:
      return undefined;
  }
}
