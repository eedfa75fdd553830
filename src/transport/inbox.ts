/** What slows the source of an inbox down, and lets it go on. */
interface Source {
  pause(): unknown;
  resume(): unknown;
}

/**
 * What has arrived and was not read yet, with one reader.
 *
 * It stays small by pausing its source: past `limit` bytes, or as many messages as cost that much
 * to keep, nothing more is asked for until half of it has been read.
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

  /** About how many bytes the unread messages take. */
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

  /** Ends the reader's loop once everything that arrived has been read. */
  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#wake({ done: true, value: undefined });
    this.#flushWaiting();
  }

  /** Forgets what was not read and ends the reader's loop. */
  discard(): void {
    this.#entries = [];
    this.#next = 0;
    this.#bytes = 0;
    this.end();
    this.#flushWaiting();
  }

  /** Resolves when there is room again, or nothing more will be read. */
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

/** What a message costs besides its text, so that a flood of tiny ones is noticed too. */
const perMessage = 64;

/** Without this a reader that never quite catches up would keep everything it has read. */
const compactAfter = 4096;

/**
 * About how many bytes a value would take as JSON, for channels that never write it as text.
 *
 * Looks at so many parts only: what matters is to notice messages that are megabytes long.
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
    // The rest is taken to be like what was seen.
    if (budget.parts <= 0) return Math.ceil((bytes * list.length) / (index + 1));
    bytes += weighPart(part, budget) + 1;
  }
  return bytes;
}

function weighRecord(record: object, budget: { parts: number }): number {
  let bytes = 2;
  // Not `Object.entries`: this is done for every message that has to wait.
  for (const key in record) {
    bytes += key.length + 4 + weighPart((record as Record<string, unknown>)[key], budget);
  }
  return bytes;
}
