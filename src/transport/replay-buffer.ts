/** The last events sent to a client, numbered from 1, for reconnects. */
export class ReplayBuffer {
  #events: string[] = [];
  #first = 0;
  #bytes = 0;
  /** Number of the newest event. */
  last = 0;

  /** Adds the next event; older ones are dropped beyond `limit` bytes. */
  add(event: string, limit: number): void {
    this.#events.push(event);
    this.#bytes += event.length;
    this.last++;
    while (this.#bytes > limit && this.#first < this.#events.length - 1) {
      this.#bytes -= this.#events[this.#first++]?.length ?? 0;
    }
    if (this.#first < compactAfter) return;
    this.#events = this.#events.slice(this.#first);
    this.#first = 0;
  }

  /** Returns the events after a number, or undefined if some were dropped or the number is unknown. */
  after(number: number): string[] | undefined {
    const kept = this.#events.length - this.#first;
    if (number > this.last || number < this.last - kept) return undefined;
    return this.#events.slice(this.#events.length - (this.last - number));
  }
}

/** Compacts the list occasionally, not for every dropped event. */
const compactAfter = 256;
