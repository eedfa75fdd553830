import type { Era } from "../../compat/index.js";
import type { Event, EventMsg } from "../../protocol/types.js";
import { EraEvents } from "../era-shape.js";

/** Options of an `EventWriter`. */
interface EventWriterOptions {
  events: "standard" | "all";
  era: Era;
}

/** Converts events of the engine to the messages of the event queue. */
export class EventWriter {
  #events: EraEvents;
  #includesAll: boolean;
  #contentDeltas: boolean;

  constructor({ events, era }: EventWriterOptions) {
    this.#events = new EraEvents(era);
    this.#includesAll = events === "all";
    this.#contentDeltas = era.events.contentDeltas;
  }

  /** Passes the messages of an event to `send`; none if the era hides it. */
  write(event: Event, send: (message: unknown) => void): void {
    if (!this.#includesAll) {
      const msg = this.#events.toShown(event);
      if (msg === undefined) return;
      const { agent_path, thread_id } = event;
      send({ id: event.id, ...(agent_path !== undefined && { agent_path, thread_id }), msg });
      if (event.msg.type !== "agent_message_delta" || !this.#contentDeltas) return;
      send({ id: event.id, msg: toContentDelta(event) });
      return;
    }
    send(inPlace(event, this.#events.toRequested(event)));
    const delta = toContentDelta(event);
    if (delta !== undefined) send(inPlace(event, delta));
  }
}

/** Returns the event with its thread, turn and item, for clients that want all events. */
function inPlace({ msg: _, ...event }: Event, msg: unknown): unknown {
  return { ...event, msg: msg as EventMsg };
}

/** Returns a text delta in its other form, which names its item; `undefined` for other events. */
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
