import type { Era, EventBehavior } from "../../compat/index.js";
import type { Event, EventMsg } from "../../protocol/types.js";
import { isToldIn, toEraEvent } from "../era-shape.js";
import { toContentDelta } from "./content-delta.js";

/** What decides how events are written. */
export interface EventWriterOptions {
  events: "standard" | "all";
  era: Era;
}

/** Turns the engine's events into the messages that a client of the queues reads. */
export class EventWriter {
  #dialect: EventBehavior;
  #tellsAll: boolean;

  constructor({ events, era }: EventWriterOptions) {
    this.#dialect = era.events;
    this.#tellsAll = events === "all";
  }

  /** Hands the messages for one event to `send`; none when clients of the era did not see it. */
  write(event: Event, send: (message: unknown) => void): void {
    if (!this.#tellsAll) {
      if (!isToldIn(event.msg, this.#dialect)) return;
      send({ id: event.id, msg: toEraEvent(event, this.#dialect) });
      if (event.msg.type !== "agent_message_delta" || !this.#dialect.contentDeltas) return;
      send({ id: event.id, msg: toContentDelta(event) });
      return;
    }
    send(inPlace(event, toEraEvent(event, this.#dialect)));
    const delta = toContentDelta(event);
    if (delta !== undefined) send(inPlace(event, delta));
  }
}

/** The event with the thread, turn and item it belongs to, for clients that ask for all. */
function inPlace({ msg: _, ...event }: Event, msg: unknown): unknown {
  return { ...event, msg: msg as EventMsg };
}
