import type { Readable, Writable } from "node:stream";
import type { Channel } from "./channel.js";
import { readJsonLines, toJsonLine } from "./ndjson.js";

/** Newline-delimited JSON over a pair of byte streams: standard input and output, or pipes. */
export function stdioChannel(input: Readable, output: Writable): Channel {
  const writer = new LineWriter(output);
  return {
    incoming: readJsonLines(input),
    send: (message) => writer.write(toJsonLine(message)),
    drained: () => writer.drained(),
    async close() {
      await writer.end();
      input.destroy();
    },
  };
}

/** Bytes that may wait for the peer before senders are told to slow down. */
const backlogLimit = 1024 * 1024;

/** Gathers the lines of one tick into a single write. */
class LineWriter {
  #output: Writable;
  #lines = "";
  #waiting: (() => void)[] = [];
  #broken = false;
  #ended = false;

  constructor(output: Writable) {
    this.#output = output;
    output.on("error", () => this.#break());
    output.on("close", () => this.#break());
    output.on("drain", () => this.#release());
  }

  write(line: string): boolean {
    if (this.#broken || this.#ended) return true;
    if (this.#lines === "") setImmediate(() => this.#flush());
    this.#lines += line;
    if (this.#lines.length >= backlogLimit) this.#flush();
    return this.#output.writableLength < backlogLimit;
  }

  async drained(): Promise<void> {
    this.#flush();
    if (this.#broken || !this.#output.writableNeedDrain) return;
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  async end(): Promise<void> {
    if (this.#ended) return;
    this.#flush();
    this.#ended = true;
    if (this.#broken || this.#output.destroyed) return;
    await new Promise<void>((resolve) => {
      this.#waiting.push(resolve);
      this.#output.end(resolve);
    });
  }

  #flush(): void {
    if (this.#lines === "" || this.#broken) return;
    const lines = this.#lines;
    this.#lines = "";
    this.#output.write(lines);
  }

  /** A peer that is gone reads nothing more; whoever waits for it goes on. */
  #break(): void {
    this.#broken = true;
    this.#lines = "";
    this.#release();
  }

  #release(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}
