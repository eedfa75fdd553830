/**
 * An unbounded first-in, first-out queue with one reader.
 *
 * Values pushed after `close` are dropped; values pushed before it are still read.
 */
export class Queue<T> implements AsyncIterable<T> {
  #values: T[] = [];
  #next = 0;
  #closed = false;
  #wakeReader: (() => void) | undefined;
  #waitingWriters: { limit: number; resolve: () => void }[] = [];

  /** How many values wait to be read. */
  get size(): number {
    return this.#values.length - this.#next;
  }

  push(value: T): void {
    if (this.#closed) return;
    this.#values.push(value);
    this.#wake();
  }

  /** Ends the reader's loop once everything pushed so far has been read. */
  close(): void {
    this.#closed = true;
    this.#wake();
    this.#releaseWriters();
  }

  /** Resolves when fewer than `limit` values wait, or the queue is closed. */
  async whenBelow(limit: number): Promise<void> {
    if (this.#closed || this.size < limit) return;
    await new Promise<void>((resolve) => {
      this.#waitingWriters.push({ limit, resolve });
    });
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    for (;;) {
      while (this.#next < this.#values.length) yield this.#take();
      if (this.#closed) return;
      await new Promise<void>((resolve) => {
        this.#wakeReader = resolve;
      });
    }
  }

  #take(): T {
    const value = this.#values[this.#next++] as T;
    if (this.#next === this.#values.length) {
      this.#values = [];
      this.#next = 0;
    } else if (this.#next >= compactAfter) {
      // Without this a reader that never quite catches up would keep everything it has read.
      this.#values = this.#values.slice(this.#next);
      this.#next = 0;
    }
    if (this.#waitingWriters.length > 0) this.#releaseWriters();
    return value;
  }

  #wake(): void {
    this.#wakeReader?.();
    this.#wakeReader = undefined;
  }

  #releaseWriters(): void {
    const ready = (writer: { limit: number }) => this.#closed || this.size < writer.limit;
    for (const writer of this.#waitingWriters) if (ready(writer)) writer.resolve();
    this.#waitingWriters = this.#waitingWriters.filter((writer) => !ready(writer));
  }
}

const compactAfter = 4096;

/** A promise together with the functions that settle it. */
export interface Deferred<T> {
  promise: Promise<T>;
  resolve(value: T): void;
  reject(error: unknown): void;
}

/** Makes a promise that someone else settles later. */
export function createDeferred<T>(): Deferred<T> {
  let resolve!: (value: T) => void;
  let reject!: (error: unknown) => void;
  const promise = new Promise<T>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  return { promise, resolve, reject };
}

/** Lets work that may be shared run side by side, and all other work alone, in the order it came. */
export class SharedLock {
  #exclusive: Promise<unknown> = Promise.resolve();
  #shared: Promise<unknown>[] = [];

  /** Runs beside other shared work, once the exclusive work before it has ended. */
  runShared<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#exclusive.then(work);
    this.#shared.push(quiet(result));
    return result;
  }

  /** Runs alone: after everything before it, and before everything after it. */
  runAlone<T>(work: () => Promise<T>): Promise<T> {
    const before = [this.#exclusive, ...this.#shared];
    const result = Promise.all(before).then(work);
    this.#exclusive = quiet(result);
    this.#shared = [];
    return result;
  }
}

/** Whoever runs the work sees how it failed; whoever only waits for it does not care. */
function quiet(promise: Promise<unknown>): Promise<unknown> {
  return promise.catch(() => {});
}
