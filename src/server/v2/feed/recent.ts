import type { FeedMessage } from "./message.js";

/** What a thread has told lately, within bounds, for clients that come back. */
export class Recent {
  #messages: FeedMessage[] = [];
  #first = 0;
  #bytes = 0;
  #maxBytes: number;
  /** The number of the last message that is gone. */
  lost = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  add(message: FeedMessage): void {
    this.#messages.push(message);
    this.#bytes += message.bytes;
    while (this.#bytes > this.#maxBytes && this.#first < this.#messages.length - 1) this.#drop();
    if (this.#first > 256) this.#compact();
  }

  /** All that came after a number, or undefined when some of it is gone. */
  after(seq: number): FeedMessage[] | undefined {
    if (seq < this.lost) return undefined;
    return this.#messages.slice(this.#first).filter((message) => message.seq > seq);
  }

  #drop(): void {
    const dropped = this.#messages[this.#first++];
    if (dropped === undefined) return;
    this.#bytes -= dropped.bytes;
    this.lost = dropped.seq;
  }

  /** Moves the list together now and then, not for every message that goes. */
  #compact(): void {
    this.#messages = this.#messages.slice(this.#first);
    this.#first = 0;
  }
}
