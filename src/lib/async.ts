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

  /** Number of queued values. */
  get size(): number {
    return this.#values.length - this.#next;
  }

  /** Adds a value. */
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

  /** Resolves when fewer than `limit` values are queued, or the queue is closed. */
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
      // Otherwise a reader that never quite catches up would retain everything it has read.
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

/** Creates a promise that is settled from outside. */
export function createDeferred<T>(): Deferred<T> {
  let resolve!: (value: T) => void;
  let reject!: (error: unknown) => void;
  const promise = new Promise<T>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  return { promise, resolve, reject };
}

/** Runs shared work concurrently and exclusive work alone, in the order of the calls. */
export class SharedLock {
  #exclusive: Promise<unknown> = Promise.resolve();
  #shared: Promise<unknown>[] = [];

  /** Runs concurrently with other shared work, once the exclusive work before it has ended. */
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

/** The caller of the work gets its error; work queued behind it only waits for its end. */
function quiet(promise: Promise<unknown>): Promise<unknown> {
  return promise.catch(() => {});
}

/** A value that is created on first use; every call returns the same one. */
export interface Lazy<T> {
  (): T;
  /** The value, or `undefined` if it was never needed. */
  readonly created: T | undefined;
}

/** Defers `create` to the first call. If it throws, the next call tries again. */
export function lazy<T>(create: () => T): Lazy<T> {
  let slot: { value: T } | undefined;
  const get = () => {
    slot ??= { value: create() };
    return slot.value;
  };
  return Object.defineProperty(get, "created", { get: () => slot?.value }) as Lazy<T>;
}

/** Never resolves; rejects with the signal's reason. */
export function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}
