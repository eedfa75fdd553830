import type { Socket } from "node:net";
import type { WebSocket } from "ws";
import { backlogLimit, type Channel, whileLeaving } from "./channel.js";
import { Inbox } from "./inbox.js";
import { parseMessage } from "./parse-message.js";

/** Creates a channel over an open WebSocket, one message per frame; `socket` carries it. */
export function webSocketChannel(ws: WebSocket, socket: Socket): Channel {
  const inbox = new Inbox(ws, backlogLimit);
  const writer = new FrameWriter(ws, socket);
  let isReading = true;
  ws.on("message", (data: Buffer) => {
    if (isReading) inbox.push(parseMessage(data.toString("utf8")), data.length);
  });
  // A frame that is invalid or too long closes the connection; ws notifies the peer.
  ws.on("error", () => {});
  ws.on("close", () => inbox.end());
  const stopReading = () => {
    isReading = false;
    inbox.discard();
  };
  const close = async () => {
    stopReading();
    const giveUp = () => ws.terminate();
    await whileLeaving(writer.close(), { backlog: () => socket.writableLength, giveUp });
  };
  return {
    incoming: inbox,
    takesValues: false,
    get isOpen() {
      return writer.isOpen;
    },
    get backlog() {
      return socket.writableLength;
    },
    send: (message) => writer.write(JSON.stringify(message)),
    sendText: (json) => writer.write(json),
    drained: () => writer.drained(),
    end: () => void close(),
    close,
    destroy() {
      stopReading();
      ws.terminate();
    },
  };
}

/** Writes frames, those of one tick in a single system call. */
class FrameWriter {
  #ws: WebSocket;
  #socket: Socket;
  #isCorked = false;
  #waiting: (() => void)[] = [];

  constructor(ws: WebSocket, socket: Socket) {
    this.#ws = ws;
    this.#socket = socket;
    const release = () => {
      for (const resolve of this.#waiting.splice(0)) resolve();
    };
    socket.on("drain", release);
    ws.on("close", release);
  }

  get isOpen(): boolean {
    return this.#ws.readyState === this.#ws.OPEN;
  }

  write(json: string): boolean {
    if (!this.isOpen) return true;
    if (!this.#isCorked) this.#cork();
    this.#ws.send(json);
    return this.#socket.writableLength < backlogLimit;
  }

  async drained(): Promise<void> {
    this.#uncork();
    if (!this.isOpen || !this.#socket.writableNeedDrain) return;
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  async close(): Promise<void> {
    this.#uncork();
    if (this.#ws.readyState === this.#ws.CLOSED) return;
    const closed = new Promise<void>((resolve) => this.#ws.once("close", () => resolve()));
    this.#ws.close(1000);
    await closed;
  }

  #cork(): void {
    this.#isCorked = true;
    this.#socket.cork();
    setImmediate(() => this.#uncork());
  }

  #uncork(): void {
    if (!this.#isCorked) return;
    this.#isCorked = false;
    this.#socket.uncork();
  }
}
