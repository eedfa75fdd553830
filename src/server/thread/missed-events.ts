import type { Event } from "../../protocol/types.js";
import { weigh } from "../../transport/index.js";

/**
 * Events of a thread without listeners, for the first listener that subscribes.
 *
 * Bounded in memory: deltas are dropped first, then the oldest events.
 */
export class MissedEvents {
  #events: { event: Event; bytes: number }[] = [];
  #bytes = 0;

  add(event: Event): void {
    const bytes = weigh(event.msg) + bytesPerEvent;
    this.#events.push({ event, bytes });
    this.#bytes += bytes;
    if (this.#bytes > maxBytes) this.#shrink();
  }

  /** Returns the events and forgets them. */
  take(): Event[] {
    const taken = this.#events.map(({ event }) => event);
    this.#events = [];
    this.#bytes = 0;
    return taken;
  }

  /** Shrinks to half of the limit, so that it does not run for every event. */
  #shrink(): void {
    this.#events = this.#events.filter(({ event }) => !event.msg.type.endsWith("_delta"));
    this.#bytes = this.#events.reduce((sum, { bytes }) => sum + bytes, 0);
    let first = 0;
    while (this.#bytes > maxBytes / 2 && first < this.#events.length) {
      this.#bytes -= this.#events[first++]?.bytes ?? 0;
    }
    this.#events = this.#events.slice(first);
  }
}

const maxBytes = 1024 * 1024;

/** Approximate memory of an event besides its content. */
const bytesPerEvent = 100;
