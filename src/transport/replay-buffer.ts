/** The events a client was sent last, numbered from 1, for one that comes back. */
export class ReplayBuffer {
  #events: string[] = [];
  #first = 0;
  #bytes = 0;
  /** The number of the newest event. */
  last = 0;

  /** Adds the next event; of the older ones, at most `limit` bytes stay. */
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

  /** The events after a number, or undefined if some of them are gone or it is none of ours. */
  after(number: number): string[] | undefined {
    const kept = this.#events.length - this.#first;
    if (number > this.last || number < this.last - kept) return undefined;
    return this.#events.slice(this.#events.length - (this.last - number));
  }
}

/** Moves the list together now and then, not for every event that goes. */
const compactAfter = 256;
