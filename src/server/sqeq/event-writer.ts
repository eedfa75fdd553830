import type { Era, EventDialect } from "../../protocol/era.js";
import type { Event, EventMsg } from "../../protocol/types.js";
import { toEraShape } from "../era-shape.js";
import { ItemEvents } from "./item-events.js";

/** What decides how events are written. */
export interface EventWriterOptions {
  events: "standard" | "all";
  era: Era;
}

/** Turns the engine's events into the messages that a client of the queues reads. */
export class EventWriter {
  #dialect: EventDialect;
  #items: ItemEvents | undefined;

  constructor({ events, era }: EventWriterOptions) {
    this.#dialect = era.events;
    this.#items = events === "all" ? new ItemEvents() : undefined;
  }

  /** Hands the messages for one event to `send`; none when clients of the era did not see it. */
  write(event: Event, send: (message: unknown) => void): void {
    if (this.#items === undefined) {
      this.#writeOne(event, send);
      return;
    }
    for (const msg of this.#items.before(event)) send(inPlace(event, msg));
    send(inPlace(event, toEraShape(event.msg, this.#dialect)));
    for (const msg of this.#items.after(event)) send(inPlace(event, msg));
  }

  #writeOne({ id, msg }: Event, send: (message: unknown) => void): void {
    if (this.#dialect.hidden.has(msg.type)) return;
    send({ id, msg: toEraShape(msg, this.#dialect) });
  }
}

/** The event with the thread, turn and item it belongs to, for clients that ask for all. */
function inPlace({ msg: _, ...event }: Event, msg: unknown): unknown {
  return { ...event, msg: msg as EventMsg };
}
