import type { Event, EventMsg, TurnItem } from "../../protocol/types.js";

/**
 * Says the engine's events once more as items and content deltas, for clients that ask for both.
 *
 * An item begins with the first event about it. Most end with an event of their own; reasoning
 * comes in parts, and has ended when something else follows.
 */
export class ItemEvents {
  #started = new Set<string>();
  #reasoning: { event: Event; item: TurnItem & { type: "Reasoning" } } | undefined;

  /** What is to be written before the event itself. */
  before(event: Event): EventMsg[] {
    const messages = this.#isReasoning(event) ? [] : this.#endReasoning();
    const item = beginning(event);
    return item === undefined ? messages : [...messages, ...this.#start(event, item)];
  }

  /** What is to be written after the event itself. */
  after(event: Event): EventMsg[] {
    const { msg } = event;
    const place = placeOf(event);
    switch (msg.type) {
      case "agent_message_delta":
        return [{ type: "agent_message_content_delta", ...place, delta: msg.delta }];
      case "agent_reasoning_delta":
        return [{ type: "reasoning_content_delta", ...place, delta: msg.delta }];
      case "agent_reasoning_raw_content_delta":
        return [{ type: "reasoning_raw_content_delta", ...place, delta: msg.delta }];
      case "user_message":
        return this.#complete(event, userMessageItem(place.item_id, msg));
      case "agent_message":
        return this.#complete(event, agentMessageItem(place.item_id, msg.message));
      case "web_search_end":
        return this.#complete(event, { type: "WebSearch", id: place.item_id, query: msg.query });
      case "agent_reasoning":
        this.#addReasoning(event, { summary: msg.text });
        return [];
      case "agent_reasoning_raw_content":
        this.#addReasoning(event, { raw: msg.text });
        return [];
      default:
        return [];
    }
  }

  #start(event: Event, item: TurnItem): EventMsg[] {
    if (this.#started.has(item.id)) return [];
    this.#started.add(item.id);
    const { thread_id, turn_id } = placeOf(event);
    return [{ type: "item_started", thread_id, turn_id, item }];
  }

  #complete(event: Event, item: TurnItem): EventMsg[] {
    this.#started.delete(item.id);
    const { thread_id, turn_id } = placeOf(event);
    return [{ type: "item_completed", thread_id, turn_id, item }];
  }

  #isReasoning({ item_id }: Event): boolean {
    return this.#reasoning !== undefined && this.#reasoning.item.id === item_id;
  }

  #addReasoning(event: Event, { summary, raw }: { summary?: string; raw?: string }): void {
    this.#reasoning ??= {
      event,
      item: { type: "Reasoning", id: placeOf(event).item_id, summary_text: [], raw_content: [] },
    };
    if (summary !== undefined) this.#reasoning.item.summary_text.push(summary);
    if (raw !== undefined) this.#reasoning.item.raw_content?.push(raw);
  }

  #endReasoning(): EventMsg[] {
    if (this.#reasoning === undefined) return [];
    const { event, item } = this.#reasoning;
    this.#reasoning = undefined;
    return this.#complete(event, item);
  }
}

/** The item that an event may be the first word about. */
function beginning(event: Event): TurnItem | undefined {
  const { item_id: id } = placeOf(event);
  switch (event.msg.type) {
    case "user_message":
      return userMessageItem(id, event.msg);
    case "agent_message_delta":
    case "agent_message":
      return { type: "AgentMessage", id, content: [] };
    case "agent_reasoning_section_break":
    case "agent_reasoning_delta":
    case "agent_reasoning":
    case "agent_reasoning_raw_content_delta":
    case "agent_reasoning_raw_content":
      return { type: "Reasoning", id, summary_text: [], raw_content: [] };
    case "web_search_begin":
      return { type: "WebSearch", id, query: "" };
    default:
      return undefined;
  }
}

function placeOf({ thread_id = "", turn_id = "", item_id = "" }: Event) {
  return { thread_id, turn_id, item_id };
}

function userMessageItem(id: string, msg: EventMsg & { type: "user_message" }): TurnItem {
  const images = (msg.images ?? []).map((url) => ({ type: "image" as const, image_url: url }));
  return { type: "UserMessage", id, content: [{ type: "text", text: msg.message }, ...images] };
}

function agentMessageItem(id: string, text: string): TurnItem {
  return { type: "AgentMessage", id, content: [{ type: "Text", text }] };
}
