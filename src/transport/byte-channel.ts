import type { Readable, Writable } from "node:stream";
import { backlogLimit, type Channel, whileLeaving } from "./channel.js";
import { Inbox } from "./inbox.js";
import { LineParser } from "./ndjson.js";

/** The two directions of a byte stream, and how it is closed once everything was sent. */
export interface ByteStreams {
  input: Readable;
  output: Writable;
  hangUp(): void;
  /** Frames a JSON text; default: one line. */
  frame?: (json: string) => string;
  /** True for pipes, whose reader may be a person with a pager: sent messages are never dropped. */
  isLocal?: boolean;
  /** Inspects raw bytes first; bytes for which it returns false are not parsed. */
  admit?: (chunk: Uint8Array) => boolean;
  /** Inspects each message first; those for which it returns false are not delivered. */
  filter?: (message: unknown) => boolean;
  /** Returns true if the input ended because the stream broke. */
  isBroken?: () => boolean;
  /** Length limit of the first line, if lower than that of other lines. */
  firstLimit?: number;
}

/** Creates a channel of newline-delimited JSON, the framing of every transport without frames. */
export function byteChannel(streams: ByteStreams): Channel {
  const { input, output, hangUp, frame = toLine } = streams;
  const writer = new LineWriter(output);
  const inbox = new Inbox(input, backlogLimit);
  const giveUp = () => {
    input.destroy();
    output.destroy();
  };
  const startReading = once(() => readInto(inbox, streams));
  input.on("error", () => inbox.end());
  return {
    incoming: {
      [Symbol.asyncIterator]() {
        startReading();
        return inbox[Symbol.asyncIterator]();
      },
    },
    takesValues: false,
    isLocal: streams.isLocal === true,
    get isOpen() {
      return writer.isOpen;
    },
    get backlog() {
      return writer.backlog;
    },
    send: (message) => writer.write(frame(JSON.stringify(message))),
    sendText: (json) => writer.write(frame(json)),
    drained: () => writer.drained(),
    end() {
      void writer.end();
    },
    async close() {
      const left = writer.end();
      await (streams.isLocal
        ? left
        : whileLeaving(left, { backlog: () => writer.backlog, giveUp }));
      inbox.discard();
      hangUp();
    },
    destroy() {
      inbox.discard();
      giveUp();
    },
  };
}

function readInto(inbox: Inbox, streams: ByteStreams): void {
  const { input, admit, filter, firstLimit, isBroken } = streams;
  const lines = new LineParser((message, bytes) => {
    if (filter === undefined || filter(message)) inbox.push(message, bytes);
  }, firstLimit);
  input.on("data", (chunk: Uint8Array) => {
    if (admit === undefined || admit(chunk)) lines.push(chunk);
  });
  input.on("end", () => {
    // A truncated line is not a message.
    if (!isBroken?.()) lines.end();
    inbox.end();
  });
  input.on("close", () => inbox.end());
  if (input.destroyed || input.readableEnded) inbox.end();
}

function toLine(json: string): string {
  return `${json}\n`;
}

function once(action: () => void): () => void {
  let done = false;
  return () => {
    if (done) return;
    done = true;
    action();
  };
}

/** Creates a channel over a pair of byte streams: standard input and output, or pipes. */
export function stdioChannel(input: Readable, output: Writable): Channel {
  return byteChannel({ input, output, isLocal: true, hangUp: () => input.destroy() });
}

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
