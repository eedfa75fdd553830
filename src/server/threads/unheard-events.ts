import type { Event } from "../../protocol/types.js";
import { weigh } from "../../transport/index.js";

/** What happened while nobody listened, within bounds: the pieces of streams go first, then the oldest. */
export class UnheardEvents {
  #events: { event: Event; bytes: number }[] = [];
  #bytes = 0;

  add(event: Event): void {
    const bytes = weigh(event.msg) + perEvent;
    this.#events.push({ event, bytes });
    this.#bytes += bytes;
    if (this.#bytes > maxBytes) this.#shrink();
  }

  take(): Event[] {
    const taken = this.#events.map(({ event }) => event);
    this.#events = [];
    this.#bytes = 0;
    return taken;
  }

  /** Goes well below the limit, so that this is not done for every event. */
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

/** What an event costs in memory besides what it says. */
const perEvent = 100;
