/**
 * An unbounded first-in, first-out queue with one reader.
 *
 * Values pushed after `close` are dropped; values pushed before it are still read.
 */
export class Queue<T> implements AsyncIterable<T> {
  #values: T[] = [];
  #next = 0;
  #closed = false;
  #wake: (() => void) | undefined;

  /** How many values wait to be read. */
  get size(): number {
    return this.#values.length - this.#next;
  }

  push(value: T): void {
    if (this.#closed) return;
    this.#values.push(value);
    this.#wakeReader();
  }

  /** Ends the reader's loop once everything pushed so far has been read. */
  close(): void {
    this.#closed = true;
    this.#wakeReader();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    for (;;) {
      while (this.#next < this.#values.length) yield this.#take();
      if (this.#closed) return;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** Takes all waiting values at once; empty when there are none. */
  drain(): T[] {
    const values = this.#next === 0 ? this.#values : this.#values.slice(this.#next);
    this.#values = [];
    this.#next = 0;
    return values;
  }

  #take(): T {
    const value = this.#values[this.#next++] as T;
    if (this.#next === this.#values.length) {
      this.#values = [];
      this.#next = 0;
    }
    return value;
  }

  #wakeReader(): void {
    this.#wake?.();
    this.#wake = undefined;
  }
}
