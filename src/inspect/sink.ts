import type { Readable, Writable } from "node:stream";

/**
 * Writes the trace without ever waiting for its reader.
 *
 * If the reader is so slow that more than a mebibyte is pending, lines are omitted and counted.
 */
export class TraceSink {
  readonly #stream: Writable;
  readonly #ends: boolean;
  #omitted = 0;
  #isBroken = false;

  /** `ends`: the stream is a file of the inspector, which `close` ends. */
  constructor(stream: Writable, { ends }: { ends: boolean }) {
    this.#stream = stream;
    this.#ends = ends;
    stream.on("error", () => {
      this.#isBroken = true;
    });
  }

  /** Number of lines that were omitted since the last one was written. */
  get omitted(): number {
    return this.#omitted;
  }

  /** Writes a line; returns false if it was omitted. */
  write(text: string): boolean {
    if (this.#isBroken) return false;
    if (this.#stream.writableLength > maxPendingBytes) {
      this.#omitted++;
      return false;
    }
    this.#omitted = 0;
    this.#stream.write(text);
    return true;
  }

  /** Passes the standard error of the server on, with the back-pressure of its reader. */
  passOn(input: Readable): void {
    input.on("data", (chunk: Uint8Array) => {
      if (this.#isBroken || this.#stream.write(chunk)) return;
      input.pause();
      this.#stream.once("drain", () => input.resume());
    });
    this.#stream.once("close", () => input.destroy());
    this.#stream.on("error", () => input.destroy());
    input.on("error", () => {});
  }

  /** Writes what is pending; resolves with false if nothing was read for a second. */
  async close(): Promise<boolean> {
    if (this.#isBroken) return true;
    const written = new Promise<void>((resolve) => {
      if (this.#ends) this.#stream.end(resolve);
      else this.#stream.write("", () => resolve());
    });
    let left = this.#stream.writableLength;
    let timer: NodeJS.Timeout | undefined;
    const stalled = new Promise<void>((resolve) => {
      timer = setInterval(() => {
        if (this.#stream.writableLength === left) resolve();
        left = this.#stream.writableLength;
      }, maxStallMs);
    });
    const isDone = await Promise.race([written.then(() => true), stalled.then(() => false)]);
    clearInterval(timer);
    return isDone || this.#isBroken;
  }
}

const maxPendingBytes = 1024 * 1024;
const maxStallMs = 1000;
