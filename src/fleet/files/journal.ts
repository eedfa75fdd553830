import { closeSync, ftruncateSync, openSync, readSync, statSync, writeSync } from "node:fs";
import { errorText } from "../../lib/errors.js";
import { joinSignals } from "../../lib/join-signals.js";
import type { At } from "../broker.js";
import type { Folder } from "./folder.js";

/** Options for a journal. */
export interface JournalOptions<Value> {
  folder: Folder;
  /** Checks a value; one for which it throws is skipped with a warning. */
  parse(value: unknown): Value;
  warn(text: string): void;
  closed: AbortSignal;
}

/** Values of threads as lines of files. The position of a value is the length of the file with it. */
export class Journal<Value extends object> {
  readonly #options: JournalOptions<Value>;

  constructor(options: JournalOptions<Value>) {
    this.#options = options;
  }

  /** Position of the last complete line. */
  head(threadId: string): number {
    const size = sizeOf(this.#file(threadId));
    if (size === 0) return 0;
    // A process that was killed may have left a part of a line.
    const descriptor = openSync(this.#file(threadId), "r");
    try {
      return lastLineEnd(descriptor, size);
    } finally {
      closeSync(descriptor);
    }
  }

  /**
   * Appends the value that `create` returns for the state of the thread; undefined appends nothing.
   *
   * No other process appends to the thread in between.
   */
  append(
    threadId: string,
    create: (stored: { head: number; read(): Generator<At<Value>> }) => Value | undefined,
  ): Promise<number | undefined> {
    return this.#options.folder.locked(threadId, () => {
      const head = this.head(threadId);
      const value = create({ head, read: () => this.read(threadId, 0) });
      if (value === undefined) return undefined;
      const line = Buffer.from(`${JSON.stringify(value)}\n`);
      const descriptor = openSync(this.#file(threadId), "a", 0o600);
      try {
        ftruncateSync(descriptor, head);
        writeSync(descriptor, line);
      } finally {
        closeSync(descriptor);
      }
      return head + line.length;
    });
  }

  /** Returns the threads that have changed at or after a time, with their heads, and the time of the last change. */
  changedSince(mark: number): { mark: number; threads: Map<string, number> } {
    const threads = new Map<string, number>();
    let last = mark;
    for (const threadId of this.#options.folder.names()) {
      const changedMs = statSync(this.#file(threadId), { throwIfNoEntry: false })?.mtimeMs ?? 0;
      if (changedMs < mark || changedMs === 0) continue;
      last = Math.max(last, changedMs);
      threads.set(threadId, this.head(threadId));
    }
    return { mark: last, threads };
  }

  *read(threadId: string, after: number): Generator<At<Value>> {
    const { parse, warn } = this.#options;
    const head = this.head(threadId);
    if (head <= after) return;
    const descriptor = openSync(this.#file(threadId), "r");
    let begin = 0;
    let bytes: Buffer;
    try {
      // Any number may be given, also one inside of a line.
      begin = lastLineEnd(descriptor, after);
      bytes = Buffer.alloc(head - begin);
      readSync(descriptor, bytes, 0, bytes.length, begin);
    } finally {
      closeSync(descriptor);
    }
    for (let start = 0; start < bytes.length; ) {
      const end = bytes.indexOf(0x0a, start) + 1;
      const position = begin + end;
      let value: Value | undefined;
      try {
        value = parse(JSON.parse(bytes.toString("utf8", start, end)));
      } catch (error) {
        warn(`Skipped a line of ${this.#file(threadId)} at byte ${position}: ${errorText(error)}`);
      }
      if (value !== undefined) yield { ...value, position };
      start = end;
    }
  }

  async *follow(threadId: string, after: number, signal: AbortSignal): AsyncGenerator<At<Value>> {
    const { signal: end, end: detach } = joinSignals(signal, this.#options.closed);
    let position = after;
    try {
      while (!end.aborted) {
        const change = this.#options.folder.changed(threadId, end);
        for (const value of this.read(threadId, position)) {
          if (end.aborted) return;
          yield value;
          position = value.position;
        }
        await change;
      }
    } finally {
      detach(new Error("over"));
    }
  }

  #file(threadId: string): string {
    return this.#options.folder.file(threadId);
  }
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

/** Finds the end of the last complete line. */
function lastLineEnd(descriptor: number, size: number): number {
  if (size === 0) return 0;
  const block = Buffer.alloc(Math.min(size, 65_536));
  for (let end = size; end > 0; end -= block.length) {
    const start = Math.max(0, end - block.length);
    const length = readSync(descriptor, block, 0, end - start, start);
    const found = block.subarray(0, length).lastIndexOf(0x0a);
    if (found >= 0) return start + found + 1;
  }
  return 0;
}
