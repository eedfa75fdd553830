import type { Era } from "../../protocol/era.js";
import type { Event } from "../../protocol/types.js";

/** What decides how events are written. */
export interface EventWriterOptions {
  events: "standard" | "all";
  era: Era;
}

/** Turns the engine's events into the messages that a client of the queues reads. */
export class EventWriter {
  #options: EventWriterOptions;

  constructor(options: EventWriterOptions) {
    this.#options = options;
  }

  /** The messages for one event; none when clients of the era were not told of such events. */
  write({ id, msg }: Event): unknown[] {
    const { events } = this.#options.era;
    if (events.hidden.has(msg.type)) return [];
    return [{ id, msg: events.bookmarks ? msg : withoutBookmark(msg) }];
  }
}

function withoutBookmark(msg: Event["msg"]): Event["msg"] {
  if (!("response_id" in msg)) return msg;
  const { response_id: _, ...rest } = msg;
  return rest;
}
