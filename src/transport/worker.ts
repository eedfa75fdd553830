import type { MessagePort } from "node:worker_threads";
import { backlogLimit, type Channel, Malformed } from "./channel.js";
import { Inbox, weigh } from "./inbox.js";

/**
 * Creates a channel over a `MessagePort`, to or from a worker thread.
 *
 * A port has no back-pressure, so each post carries its size and the reader acknowledges that size
 * once it was read; see `Post`.
 */
export function workerChannel(port: MessagePort): Channel {
  const reader = new PortReader(port);
  const writer = new PortWriter(port);
  port.on("message", (post: unknown) => {
    if (!isPost(post)) reader.take([new Malformed("The post is not one of a channel")], 0);
    else if ("messages" in post) reader.take(post.messages, post.bytes);
    else if ("read" in post) writer.onRead(post.read);
    else reader.inbox.end();
  });
  port.on("messageerror", () => reader.take([new Malformed("The post cannot be read")], 0));
  port.on("close", () => {
    reader.inbox.end();
    writer.onClose();
  });
  return {
    incoming: reader.inbox,
    takesValues: true,
    get isOpen() {
      return writer.isOpen;
    },
    get backlog() {
      return writer.backlog;
    },
    send: (message) => writer.write(message, weigh(message)),
    sendText: (json) => writer.write(JSON.parse(json), json.length),
    drained: () => writer.drained(),
    end: () => writer.end(),
    async close() {
      writer.end();
      reader.inbox.discard();
      port.close();
    },
    destroy() {
      writer.onClose();
      reader.inbox.discard();
      port.close();
    },
  };
}

/** Posts on the port: messages and their size; the size that has been read; or the end of input. */
export type Post = { messages: unknown[]; bytes: number } | { read: number } | { end: true };

class PortReader {
  readonly inbox: Inbox;
  #port: MessagePort;
  #unread = 0;
  #isPaused = false;

  constructor(port: MessagePort) {
    this.#port = port;
    this.inbox = new Inbox(
      {
        pause: () => {
          this.#isPaused = true;
        },
        resume: () => {
          this.#isPaused = false;
          this.#acknowledge();
        },
      },
      backlogLimit,
    );
  }

  take(messages: unknown[], bytes: number): void {
    this.#unread += bytes;
    for (const message of messages) this.inbox.push(message, bytes / messages.length);
    if (!this.#isPaused) this.#acknowledge();
  }

  #acknowledge(): void {
    if (this.#unread === 0) return;
    this.#port.postMessage({ read: this.#unread } satisfies Post);
    this.#unread = 0;
  }
}

class PortWriter {
  #port: MessagePort;
  #messages: unknown[] = [];
  #bytes = 0;
  #unread = 0;
  #isOpen = true;
  #waiting: (() => void)[] = [];

  constructor(port: MessagePort) {
    this.#port = port;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  get backlog(): number {
    return this.#unread + this.#bytes;
  }

  write(message: unknown, bytes: number): boolean {
    if (!this.#isOpen) return true;
    if (this.#messages.length === 0) setImmediate(() => this.#flush());
    this.#messages.push(message);
    this.#bytes += bytes;
    if (this.#bytes >= backlogLimit) this.#flush();
    return this.backlog < backlogLimit;
  }

  async drained(): Promise<void> {
    this.#flush();
    if (!this.#isOpen || this.#unread < backlogLimit) return;
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  onRead(bytes: number): void {
    this.#unread = Math.max(0, this.#unread - bytes);
    if (this.#unread < backlogLimit) this.#release();
  }

  end(): void {
    if (!this.#isOpen) return;
    this.#flush();
    this.#port.postMessage({ end: true } satisfies Post);
    this.onClose();
  }

  onClose(): void {
    this.#isOpen = false;
    this.#messages = [];
    this.#release();
  }

  #flush(): void {
    if (this.#messages.length === 0) return;
    this.#port.postMessage({ messages: this.#messages, bytes: this.#bytes } satisfies Post);
    this.#unread += this.#bytes;
    this.#messages = [];
    this.#bytes = 0;
  }

  #release(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}

function isPost(value: unknown): value is Post {
  if (typeof value !== "object" || value === null) return false;
  if ("messages" in value) return Array.isArray(value.messages) && "bytes" in value;
  if ("read" in value) return typeof value.read === "number";
  return "end" in value;
}
