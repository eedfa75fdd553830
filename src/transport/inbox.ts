/** Pauses and resumes the source of an inbox. */
interface Source {
  pause(): unknown;
  resume(): unknown;
}

/**
 * Unread messages, with one reader.
 *
 * It stays small by pausing its source: past `limit` bytes, overhead of each message included,
 * nothing more is requested until half of it has been read.
 */
export class Inbox implements AsyncIterable<unknown> {
  #entries: Entry[] = [];
  #next = 0;
  #bytes = 0;
  #ended = false;
  #paused = false;
  #source: Source;
  #limit: number;
  #waitingReader: ((result: IteratorResult<unknown>) => void) | undefined;
  #onRead: (() => void)[] = [];

  constructor(source: Source, limit: number) {
    this.#source = source;
    this.#limit = limit;
  }

  /** Approximate size of the unread messages. */
  get bytes(): number {
    return this.#bytes;
  }

  get isEnded(): boolean {
    return this.#ended;
  }

  push(value: unknown, bytes: number): void {
    if (this.#ended) return;
    if (this.#waitingReader !== undefined) {
      this.#wake({ done: false, value });
      return;
    }
    this.#entries.push({ value, bytes: bytes + perMessage });
    this.#bytes += bytes + perMessage;
    if (!this.#paused && this.#bytes >= this.#limit) {
      this.#paused = true;
      this.#source.pause();
    }
  }

  /** Ends the reader's loop once everything received has been read. */
  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#wake({ done: true, value: undefined });
    this.#flushWaiting();
  }

  /** Drops unread messages and ends the reader's loop. */
  discard(): void {
    this.#entries = [];
    this.#next = 0;
    this.#bytes = 0;
    this.end();
    this.#flushWaiting();
  }

  /** Resolves when there is room again, or the inbox has ended. */
  async whenRoom(): Promise<void> {
    if (this.#ended || this.#bytes < this.#limit) return;
    await new Promise<void>((resolve) => this.#onRead.push(resolve));
  }

  [Symbol.asyncIterator](): AsyncIterator<unknown> {
    return { next: () => this.#read() };
  }

  #read(): Promise<IteratorResult<unknown>> {
    const entry = this.#entries[this.#next];
    if (entry !== undefined) return Promise.resolve({ done: false, value: this.#take(entry) });
    if (this.#ended) return Promise.resolve({ done: true, value: undefined });
    return new Promise((resolve) => {
      this.#waitingReader = resolve;
    });
  }

  #take(entry: Entry): unknown {
    this.#next++;
    if (this.#next === this.#entries.length || this.#next >= compactAfter) {
      this.#entries = this.#entries.slice(this.#next);
      this.#next = 0;
    }
    this.#bytes -= entry.bytes;
    if (this.#bytes <= this.#limit / 2) this.#flushWaiting();
    return entry.value;
  }

  #flushWaiting(): void {
    for (const resolve of this.#onRead.splice(0)) resolve();
    if (!this.#paused) return;
    this.#paused = false;
    this.#source.resume();
  }

  #wake(result: IteratorResult<unknown>): void {
    const reader = this.#waitingReader;
    this.#waitingReader = undefined;
    reader?.(result);
  }
}

interface Entry {
  value: unknown;
  bytes: number;
}

/** Overhead of a message besides its text, so that many tiny ones count too. */
const perMessage = 64;

/** Otherwise a reader that never quite catches up would retain everything it has read. */
const compactAfter = 4096;

/**
 * Estimates the size of a value as JSON, for channels that never serialize it.
 *
 * Inspects a bounded number of parts: it only has to notice messages of several megabytes.
 */
export function weigh(value: unknown): number {
  return weighPart(value, { parts: 256 });
}

function weighPart(value: unknown, budget: { parts: number }): number {
  budget.parts--;
  if (typeof value === "string") return value.length + 2;
  if (typeof value !== "object" || value === null || budget.parts <= 0) return 8;
  return Array.isArray(value) ? weighList(value, budget) : weighRecord(value, budget);
}

function weighList(list: unknown[], budget: { parts: number }): number {
  let bytes = 2;
  for (const [index, part] of list.entries()) {
    // The rest is assumed to be like the inspected part.
    if (budget.parts <= 0) return Math.ceil((bytes * list.length) / (index + 1));
    bytes += weighPart(part, budget) + 1;
  }
  return bytes;
}

function weighRecord(record: object, budget: { parts: number }): number {
  let bytes = 2;
  // Not `Object.entries`: this runs for every queued message.
  for (const key in record) {
    bytes += key.length + 4 + weighPart((record as Record<string, unknown>)[key], budget);
  }
  return bytes;
}
