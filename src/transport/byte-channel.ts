import type { Readable, Writable } from "node:stream";
import { backlogLimit, type Channel, whileLeaving } from "./channel.js";
import { Inbox } from "./inbox.js";
import { LineWriter } from "./line-writer.js";
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
