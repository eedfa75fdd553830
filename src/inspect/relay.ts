import type { Readable, Writable } from "node:stream";
import { type Channel, Malformed } from "../transport/index.js";
import { LineSplitter, parseMessage } from "../transport/lines/index.js";

/** Receives each message of a direction after it was passed on; an `Unreadable` takes the place of one that is none. */
export type OnMessage = (message: unknown, bytes: number) => void;

/** A line that is no message, or that is too long to be checked. */
export class Unreadable extends Malformed {
  /** The line; undefined if it was too long to be retained. */
  readonly text: string | undefined;

  constructor(reason: string, text?: string) {
    super(reason);
    this.text = text;
  }
}

/**
 * Passes bytes on unchanged, with the back-pressure of the reader, and reports the messages in them.
 *
 * Each end closes the other: the end of the input ends the output, and an output that is gone stops the input.
 * Resolves when the direction has ended.
 */
export function relayBytes(input: Readable, output: Writable, onMessage: OnMessage): Promise<void> {
  const lines = new LineSplitter(
    (line, bytes) => {
      const message =
        line instanceof Malformed ? new Unreadable(`${line.reason}: not checked`) : parseLine(line);
      if (message !== undefined) onMessage(message, bytes);
    },
    { limit: maxCheckedBytes },
  );
  return new Promise((resolve) => {
    const finish = () => {
      lines.end();
      if (output.destroyed || output.writableFinished) resolve();
      else output.end(() => resolve());
    };
    input.on("data", (chunk: Uint8Array) => {
      const hasRoom = output.write(chunk);
      lines.push(chunk);
      if (!hasRoom) input.pause();
    });
    output.on("drain", () => input.resume());
    input.once("end", finish);
    input.once("close", finish);
    input.on("error", finish);
    const stop = () => {
      input.destroy();
      resolve();
    };
    output.on("error", stop);
    output.once("close", stop);
  });
}

function parseLine(text: string): unknown {
  if (text.trim() === "") return undefined;
  const message = parseMessage(text);
  return message instanceof Malformed ? new Unreadable(message.reason, text) : message;
}

/** Longer messages are passed on unchecked, so that the memory of the inspector is bounded. */
export const maxCheckedBytes = 16 * 1024 * 1024;

/** Returns the messages that take the place of one: usually itself, or its translation. */
export type Pass = (message: unknown) => readonly unknown[];

/**
 * Passes messages from one channel to another, with the back-pressure of the reader.
 *
 * A text that is no message is passed on as another text that is none, for the peer to answer. Resolves when the
 * direction has ended.
 */
export async function relayMessages(from: Channel, to: Channel, pass: Pass): Promise<void> {
  for await (const message of from.incoming) {
    for (const one of pass(message)) {
      const hasRoom = one instanceof Malformed ? to.sendText("{") : to.send(one);
      if (!hasRoom) await to.drained();
    }
    if (!to.isOpen) break;
  }
  to.end();
}
