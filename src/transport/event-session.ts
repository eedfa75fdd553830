import type { Readable, Writable } from "node:stream";
import { backlogLimit, type Channel, whileLeaving } from "./channel.js";
import { keepAliveComment, toEvent } from "./event-stream.js";
import { Inbox } from "./inbox.js";
import { LineWriter } from "./line-writer.js";
import { LineParser } from "./ndjson.js";
import { ReplayBuffer } from "./replay-buffer.js";

/** What a session is known by, and who is told that it is over. */
export interface EventSessionOptions {
  id: string;
  onEnd(): void;
  /** How long a client may be away before it counts as gone. */
  graceMs?: number;
  /** How often an idle stream gets a comment. */
  keepAliveMs?: number;
}

/**
 * A channel whose messages go out as one stream of server-sent events and come in as requests.
 *
 * The stream may break and be opened again: each event has an id, and a client that names the last
 * one it has received is sent the rest.
 */
export class EventSession implements Channel {
  readonly id: string;
  readonly takesValues = false;
  #options: EventSessionOptions;
  #inbox: Inbox;
  #bodies = new Set<Readable>();
  #isPaused = false;
  #recent = new ReplayBuffer();
  #stream: { writer: LineWriter; output: Writable } | undefined;
  /** Bytes that were sent while no stream was open. */
  #missed = 0;
  #isClosing = false;
  #isOver = false;
  #grace: NodeJS.Timeout | undefined;
  #keepAlive: NodeJS.Timeout;
  #isQuiet = true;
  #waiting: (() => void)[] = [];

  constructor(options: EventSessionOptions) {
    this.id = options.id;
    this.#options = options;
    const source = { pause: () => this.#pause(), resume: () => this.#resume() };
    this.#inbox = new Inbox(source, backlogLimit);
    this.#keepAlive = setInterval(() => this.#comment(), options.keepAliveMs ?? 15_000).unref();
  }

  get incoming(): AsyncIterable<unknown> {
    return this.#inbox;
  }

  get isOpen(): boolean {
    return !this.#isClosing && !this.#isOver;
  }

  get backlog(): number {
    return this.#stream?.writer.backlog ?? this.#missed;
  }

  /** False once the client has said that it sends nothing more. */
  get isReceiving(): boolean {
    return !this.#inbox.isEnded;
  }

  send(message: unknown): boolean {
    return this.sendText(JSON.stringify(message));
  }

  sendText(json: string): boolean {
    if (!this.isOpen) return true;
    const event = toEvent(json, `${this.id}.${this.#recent.last + 1}`);
    this.#isQuiet = false;
    if (this.#stream === undefined) {
      this.#missed += event.length;
      this.#recent.add(event, Number.POSITIVE_INFINITY);
    } else {
      this.#recent.add(event, replayBytes + this.backlog);
      this.#stream.writer.write(event);
    }
    return this.backlog < backlogLimit;
  }

  async drained(): Promise<void> {
    while (!this.#isOver) {
      const stream = this.#stream;
      if (stream !== undefined) await stream.writer.drained();
      if (stream !== undefined && stream === this.#stream) return;
      if (stream === undefined && this.#missed < backlogLimit) return;
      if (this.#stream === undefined) await this.#change();
    }
  }

  /** A client without its stream could not be seen to leave, so there is no half open session. */
  end(): void {
    void this.close();
  }

  async close(): Promise<void> {
    if (this.#isOver) return;
    this.#isClosing = true;
    this.#inbox.discard();
    while (!this.#isOver && this.#stream === undefined) await this.#change();
    const stream = this.#stream;
    if (stream === undefined) return;
    await whileLeaving(stream.writer.end(), {
      backlog: () => stream.writer.backlog,
      giveUp: () => stream.output.destroy(),
    });
    this.#finish();
  }

  destroy(): void {
    this.#inbox.discard();
    this.#stream?.output.destroy();
    this.#finish();
  }

  /** Opens the stream for the first time; the client learns the id of the session. */
  open(output: Writable): void {
    const { writer } = this.#attach(output);
    writer.write(`retry: ${retryMs}\nevent: session\ndata: ${JSON.stringify({ id: this.id })}\n\n`);
  }

  /** The events that a client has missed, or undefined if some of them are gone. */
  missedAfter(number: number): string[] | undefined {
    return this.#recent.after(number);
  }

  /** Opens the stream again, with what the client has missed. */
  reopen(output: Writable, missed: readonly string[]): void {
    const { writer } = this.#attach(output);
    for (const event of missed) writer.write(event);
    this.#release();
  }

  /**
   * Receives the messages of a request: one of any layout if it is `application/json`, else one a
   * line. Resolves when there is room for more.
   */
  async receive(body: Readable, contentType: string | undefined): Promise<void> {
    const isOne = /^application\/json\b/i.test(contentType ?? "");
    const lines = new LineParser((message, bytes) => this.#inbox.push(message, bytes));
    body.on("data", (chunk: Buffer) => {
      // Outside of its strings JSON may be broken into lines, and inside it has no raw newline.
      lines.push(isOne ? chunk.map((byte) => (byte === newline ? space : byte)) : chunk);
    });
    this.#bodies.add(body);
    if (this.#isPaused) body.pause();
    const isWhole = await new Promise<boolean>((resolve) => {
      body.once("end", () => resolve(true));
      body.once("close", () => resolve(false));
      body.on("error", () => resolve(false));
    });
    this.#bodies.delete(body);
    if (isWhole) lines.end();
    await this.#inbox.whenRoom();
  }

  /** Notes that the client sends nothing more; if it does not listen either, it is gone. */
  endInput(): void {
    this.#inbox.end();
    if (this.#stream === undefined) this.#finish();
  }

  #attach(output: Writable): { writer: LineWriter; output: Writable } {
    clearTimeout(this.#grace);
    this.#stream?.output.destroy();
    const stream = { writer: new LineWriter(output), output };
    this.#stream = stream;
    this.#missed = 0;
    output.once("close", () => {
      if (this.#stream === stream) this.#detach();
    });
    return stream;
  }

  #detach(): void {
    this.#stream = undefined;
    if (this.#isOver) return;
    if (!this.isReceiving && !this.#isClosing) {
      this.#finish();
      return;
    }
    const graceMs = this.#options.graceMs ?? defaultGraceMs;
    this.#grace = setTimeout(() => this.#finish(), graceMs).unref();
    this.#release();
  }

  #finish(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#grace);
    clearInterval(this.#keepAlive);
    this.#inbox.end();
    this.#release();
    this.#options.onEnd();
  }

  #comment(): void {
    if (this.#isQuiet && this.backlog === 0) this.#stream?.writer.write(keepAliveComment);
    this.#isQuiet = true;
  }

  #pause(): void {
    this.#isPaused = true;
    for (const body of this.#bodies) body.pause();
  }

  #resume(): void {
    this.#isPaused = false;
    for (const body of this.#bodies) body.resume();
  }

  /** Resolves when the stream is opened or lost, or the session is over. */
  #change(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #release(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}

/** Events of about this size stay for a client that comes back. */
const replayBytes = 1024 * 1024;
const defaultGraceMs = 10_000;
/** How long a browser waits before it opens a broken stream again. */
const retryMs = 500;
const newline = 0x0a;
const space = 0x20;
