import type { Readable, Writable } from "node:stream";
import { backlogLimit, type Channel, whileLeaving } from "./channel.js";
import { Inbox } from "./inbox.js";
import { LineWriter } from "./line-writer.js";
import { LineParser } from "./ndjson.js";

/** The two directions of a byte stream, and how it is put down once everything has left. */
export interface ByteStreams {
  input: Readable;
  output: Writable;
  hangUp(): void;
  /** Frames a JSON text for the wire; by default it becomes a line. */
  frame?: (json: string) => string;
  /** True for pipes, whose reader may be a person with a pager: what was sent is never given up. */
  isLocal?: boolean;
  /** Sees the raw bytes first; those it returns false for are not parsed. */
  admit?: (chunk: Uint8Array) => boolean;
  /** Sees each message first; those it returns false for are not delivered. */
  filter?: (message: unknown) => boolean;
  /** Tells an end of input that comes because the stream broke. */
  isBroken?: () => boolean;
  /** How long the first line may be, when that is less than any other. */
  firstLimit?: number;
}

/** Newline-delimited JSON over byte streams; the framing of every transport without frames. */
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
    // A line that was cut in the middle is no message.
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

/** Newline-delimited JSON over a pair of byte streams: standard input and output, or pipes. */
export function stdioChannel(input: Readable, output: Writable): Channel {
  return byteChannel({ input, output, isLocal: true, hangUp: () => input.destroy() });
}
