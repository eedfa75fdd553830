import type { EventEmitter } from "node:events";
import { backlogLimit, type Channel, Malformed, whileLeaving } from "./channel.js";
import { Inbox } from "./inbox.js";
import { maxMessageBytes, parseMessage } from "./parse-message.js";

/** A gRPC call and how to cancel it. */
export interface BatchCall {
  stream: BatchStream;
  cancel(): void;
}

/** Common part of client and server calls: batches in both directions. */
export interface BatchStream extends EventEmitter {
  readonly destroyed: boolean;
  readonly readableEnded: boolean;
  readonly writableEnded: boolean;
  write(batch: string[], onLeft: () => void): boolean;
  end(): unknown;
  pause(): unknown;
  resume(): unknown;
}

/** Creates a channel over an open call. */
export function grpcChannel({ stream, cancel }: BatchCall): Channel {
  const inbox = new Inbox(stream, backlogLimit);
  const writer = new BatchWriter(stream);
  stream.on("data", (batch: string[]) => {
    for (const text of batch) inbox.push(readText(text), text.length);
  });
  stream.on("end", () => inbox.end());
  stream.on("close", () => inbox.end());
  // A status that is not OK arrives as an error; no more messages follow.
  stream.on("error", () => inbox.end());
  const hangUp = () => {
    if (stream.destroyed || stream.readableEnded) return;
    const timer = setTimeout(cancel, lingerMs).unref();
    stream.once("close", () => clearTimeout(timer));
    stream.once("end", () => clearTimeout(timer));
  };
  const destroy = () => {
    inbox.discard();
    writer.onGone();
    cancel();
  };
  return {
    incoming: inbox,
    takesValues: false,
    get isOpen() {
      return writer.isOpen;
    },
    get backlog() {
      return writer.backlog;
    },
    send: (message) => writer.write(JSON.stringify(message)),
    sendText: (json) => writer.write(json),
    drained: () => writer.drained(),
    end: () => void writer.end(),
    async close() {
      await whileLeaving(writer.end(), { backlog: () => writer.backlog, giveUp: destroy });
      inbox.discard();
      hangUp();
    },
    destroy,
  };
}

function readText(text: string): unknown {
  if (text.length <= maxMessageBytes) return parseMessage(text);
  return new Malformed(`The message is longer than ${maxMessageBytes / 1024 / 1024} MiB`);
}

/** Batches the messages of one tick, and those queued behind a slow peer. */
class BatchWriter {
  #stream: BatchStream;
  #messages: string[] = [];
  #waitingLength = 0;
  #leavingLength = 0;
  #isGone = false;
  #isEnded = false;
  #isScheduled = false;
  #onLeft: (() => void)[] = [];

  constructor(stream: BatchStream) {
    this.#stream = stream;
    for (const event of ["close", "error", "status"]) stream.on(event, () => this.onGone());
  }

  get isOpen(): boolean {
    return !this.#isGone && !this.#isEnded;
  }

  get backlog(): number {
    return this.#waitingLength + this.#leavingLength;
  }

  write(json: string): boolean {
    if (!this.isOpen) return true;
    this.#messages.push(json);
    this.#waitingLength += json.length;
    if (!this.#isScheduled) {
      this.#isScheduled = true;
      setImmediate(() => this.#flush());
    }
    return this.backlog < backlogLimit;
  }

  async drained(): Promise<void> {
    this.#flush();
    await this.#until(() => this.backlog < backlogLimit);
  }

  async end(): Promise<void> {
    if (!this.#isEnded) this.#flush();
    this.#isEnded = true;
    await this.#until(() => this.backlog === 0);
    if (!this.#isGone && !this.#stream.writableEnded) this.#stream.end();
  }

  /** Drops everything pending and releases waiting senders: the peer is gone. */
  onGone(): void {
    this.#isGone = true;
    this.#messages = [];
    this.#waitingLength = 0;
    this.#release();
  }

  #flush(): void {
    this.#isScheduled = false;
    while (!this.#isGone && this.#messages.length > 0 && this.#leavingLength < backlogLimit) {
      const { batch, length } = this.#takeBatch();
      this.#waitingLength -= length;
      this.#leavingLength += length;
      this.#stream.write(batch, () => {
        this.#leavingLength -= length;
        this.#flush();
        this.#release();
      });
    }
  }

  #takeBatch(): { batch: string[]; length: number } {
    let length = 0;
    let count = 0;
    for (const message of this.#messages) {
      if (count > 0 && length + message.length > maxBatchLength) break;
      length += message.length;
      count++;
    }
    return { batch: this.#messages.splice(0, count), length };
  }

  async #until(isReached: () => boolean): Promise<void> {
    while (!this.#isGone && !isReached()) {
      await new Promise<void>((resolve) => this.#onLeft.push(resolve));
    }
  }

  #release(): void {
    for (const resolve of this.#onLeft.splice(0)) resolve();
  }
}

const maxBatchLength = 256 * 1024;
const lingerMs = 1000;
