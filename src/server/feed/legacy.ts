import type { Event, EventMsg } from "../../protocol/types.js";

/** A piece of text said once more with the item it belongs to; clients of old heard both. */
export function withItem(event: Event): Event | undefined {
  const msg = contentDelta(event);
  return msg === undefined ? undefined : { ...event, msg };
}

function contentDelta({ msg, part = 0, ...place }: Event): EventMsg | undefined {
  const { thread_id = "", turn_id = "", item_id = "" } = place;
  switch (msg.type) {
    case "agent_message_delta":
      return {
        type: "agent_message_content_delta",
        thread_id,
        turn_id,
        item_id,
        delta: msg.delta,
      };
    case "agent_reasoning_delta":
      return {
        type: "reasoning_content_delta",
        thread_id,
        turn_id,
        item_id,
        delta: msg.delta,
        summary_index: part,
      };
    case "agent_reasoning_raw_content_delta":
      return {
        type: "reasoning_raw_content_delta",
        thread_id,
        turn_id,
        item_id,
        delta: msg.delta,
        content_index: part,
      };
    default:
      return undefined;
  }
}

/** What a patch says of itself as output, which clients of old heard before its end. */
export function patchOutput(event: Event): Event | undefined {
  const { msg } = event;
  if (msg.type !== "patch_apply_end" || !msg.success || msg.stdout === "") return undefined;
  const chunk = Buffer.from(msg.stdout).toString("base64");
  return {
    ...event,
    msg: { type: "exec_command_output_delta", call_id: msg.call_id, stream: "stdout", chunk },
  };
}
