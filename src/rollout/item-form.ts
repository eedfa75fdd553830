import { createUuidSource } from "../lib/uuid.js";
import type { EventMsg, RolloutItem, TurnItem } from "../protocol/types.js";
import { toInput } from "./items/to-input.js";

/**
 * Says what happened as items, for files of versions that show only these of a conversation.
 *
 * Events that belong to no turn, or that are no items, stay as they are.
 */
export class ItemForm {
  readonly #threadId: string;
  readonly #now: () => number;
  readonly #newId: () => string;
  #turnId: string | undefined;

  constructor(threadId: string, now: () => number) {
    this.#threadId = threadId;
    this.#now = now;
    this.#newId = createUuidSource(now);
  }

  of(line: RolloutItem): RolloutItem {
    return line.type === "event_msg" ? { ...line, payload: this.#said(line.payload) } : line;
  }

  #said(msg: EventMsg): EventMsg {
    if (msg.type === "task_started") this.#turnId = msg.turn_id ?? undefined;
    const item = this.#turnId === undefined ? undefined : toItem(msg, this.#newId);
    if (item === undefined || this.#turnId === undefined) return msg;
    const at = this.#now();
    const place = { thread_id: this.#threadId, turn_id: this.#turnId };
    const times = { started_at_ms: at, completed_at_ms: at };
    return { type: "item_completed", ...place, item, ...times };
  }
}

function toItem(msg: EventMsg, newId: () => string): TurnItem | undefined {
  switch (msg.type) {
    case "user_message":
      if (msg.kind !== undefined && msg.kind !== "plain") return undefined;
      return { type: "UserMessage", id: newId(), content: toInput(msg) };
    case "agent_message":
      return { type: "AgentMessage", id: newId(), content: [{ type: "Text", text: msg.message }] };
    case "agent_reasoning":
      return { type: "Reasoning", id: newId(), summary_text: [msg.text], raw_content: [] };
    case "agent_reasoning_raw_content":
      return { type: "Reasoning", id: newId(), summary_text: [], raw_content: [msg.text] };
    case "context_compacted":
      return { type: "ContextCompaction", id: newId() };
    default:
      return undefined;
  }
}
