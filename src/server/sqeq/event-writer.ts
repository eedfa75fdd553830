import type { Era, EventBehavior } from "../../compat/index.js";
import type { Event, EventMsg } from "../../protocol/types.js";
import { isToldIn, toEraEvent } from "../era-shape.js";

/** What decides how events are written. */
interface EventWriterOptions {
  events: "standard" | "all";
  era: Era;
}

/** Turns the engine's events into the messages that a client of the queues reads. */
export class EventWriter {
  #behavior: EventBehavior;
  #tellsAll: boolean;

  constructor({ events, era }: EventWriterOptions) {
    this.#behavior = era.events;
    this.#tellsAll = events === "all";
  }

  /** Hands the messages for one event to `send`; none when clients of the era did not see it. */
  write(event: Event, send: (message: unknown) => void): void {
    if (!this.#tellsAll) {
      if (!isToldIn(event.msg, this.#behavior)) return;
      send({ id: event.id, msg: toEraEvent(event, this.#behavior) });
      if (event.msg.type !== "agent_message_delta" || !this.#behavior.contentDeltas) return;
      send({ id: event.id, msg: toContentDelta(event) });
      return;
    }
    send(inPlace(event, toEraEvent(event, this.#behavior)));
    const delta = toContentDelta(event);
    if (delta !== undefined) send(inPlace(event, delta));
  }
}

/** The event with the thread, turn and item it belongs to, for clients that ask for all. */
function inPlace({ msg: _, ...event }: Event, msg: unknown): unknown {
  return { ...event, msg: msg as EventMsg };
}

/** A piece of streamed text said once more with the item it belongs to; nothing for other events. */
function toContentDelta(event: Event): EventMsg | undefined {
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
