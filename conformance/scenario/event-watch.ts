import type { Event } from "../../src/protocol/types.js";

/** Collects the events of an engine, and waits for them. */
export class EventWatch {
  readonly seen: Event[] = [];
  #next = 0;
  #wake: (() => void) | undefined;

  constructor(events: AsyncIterable<Event>) {
    void this.#read(events);
  }

  /** Waits for an event of that type behind the one that was awaited last. */
  async until(type: string, limitMs = 15_000): Promise<Event> {
    const end = performance.now() + limitMs;
    for (;;) {
      const index = this.seen.findIndex((event, at) => at >= this.#next && event.msg.type === type);
      const event = this.seen[index];
      if (event !== undefined) {
        this.#next = index + 1;
        return event;
      }
      const left = end - performance.now();
      if (left <= 0) throw new Error(`waited for ${type}, got ${this.#rest()}`);
      await this.#change(left);
    }
  }

  #rest(): string {
    return this.seen
      .slice(this.#next)
      .map(({ msg }) => ("message" in msg ? `${msg.type} (${msg.message})` : msg.type))
      .join(", ");
  }

  #change(limitMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, limitMs);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  async #read(events: AsyncIterable<Event>): Promise<void> {
    for await (const event of events) {
      this.seen.push(event);
      this.#wake?.();
    }
  }
}
