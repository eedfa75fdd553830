import type { Writable } from "node:stream";
import { backlogLimit } from "./channel.js";

/**
 * Writes lines to a byte stream, combining those of one tick into a single write.
 *
 * Allocates no promise and no callback per line: a stream of deltas is the hottest path of the
 * program.
 */
export class LineWriter {
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

  get isOpen(): boolean {
    return !this.#broken && !this.#ended;
  }

  /** Characters that were not passed to the system yet. */
  get backlog(): number {
    return this.#lines.length + this.#output.writableLength;
  }

  /** Queues a line with its newline; returns false if the peer reads too slowly. */
  write(line: string): boolean {
    if (!this.isOpen) return true;
    if (this.#lines === "") setImmediate(() => this.#flush());
    this.#lines += line;
    if (this.#lines.length >= backlogLimit) this.#flush();
    return this.backlog < backlogLimit;
  }

  async drained(): Promise<void> {
    if (this.#ended) return this.end();
    this.#flush();
    if (this.#broken || !this.#output.writableNeedDrain) return;
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** Resolves when everything was sent, or the peer is gone. */
  async end(): Promise<void> {
    this.#flush();
    this.#ended = true;
    if (this.#broken || this.#output.destroyed || this.#output.writableFinished) return;
    await new Promise<void>((resolve) => {
      this.#waiting.push(resolve);
      this.#output.once("finish", resolve);
      if (!this.#output.writableEnded) this.#output.end();
    });
  }

  #flush(): void {
    if (this.#lines === "" || this.#broken || this.#output.writableEnded) return;
    const lines = this.#lines;
    this.#lines = "";
    this.#output.write(lines);
  }

  /** Drops everything pending and releases waiting senders: the peer is gone. */
  #break(): void {
    this.#broken = true;
    this.#lines = "";
    this.#release();
  }

  #release(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}
