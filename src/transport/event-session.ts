import type { Readable, Writable } from "node:stream";
import { LineWriter } from "./byte-channel.js";
import { backlogLimit, type Channel, whileLeaving } from "./channel.js";
import { keepAliveComment, toEvent } from "./event-stream.js";
import { Inbox } from "./inbox.js";
import { LineParser } from "./ndjson.js";
import { ReplayBuffer } from "./replay-buffer.js";

/** Identity and lifetime of a session. */
export interface EventSessionOptions {
  id: string;
  onEnd(): void;
  /** Time a client may be disconnected before the session ends. */
  graceMs?: number;
  /** Interval of keep-alive comments on an idle stream. */
  keepAliveMs?: number;
}

/**
 * A channel that sends one stream of server-sent events and receives by requests.
 *
 * The stream may break and be reopened: each event has an id, and a client that sends the last id
 * it has received gets the rest.
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

  /** False once the client has ended its input. */
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

  /** Without its stream a client could not be noticed to leave, so a session cannot be half-closed. */
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

  /** Opens the stream for the first time and sends the session id. */
  open(output: Writable): void {
    const { writer } = this.#attach(output);
    writer.write(`retry: ${retryMs}\nevent: session\ndata: ${JSON.stringify({ id: this.id })}\n\n`);
  }

  /** Returns the events after `number`, or undefined if some of them were dropped. */
  missedAfter(number: number): string[] | undefined {
    return this.#recent.after(number);
  }

  /** Reopens the stream, starting with the events that the client has missed. */
  reopen(output: Writable, missed: readonly string[]): void {
    const { writer } = this.#attach(output);
    for (const event of missed) writer.write(event);
    this.#release();
  }

  /**
   * Receives the messages of a request: a single one in any layout for `application/json`, else one
   * per line. Resolves when there is room for more.
   */
  async receive(body: Readable, contentType: string | undefined): Promise<void> {
    const isOne = /^application\/json\b/i.test(contentType ?? "");
    const lines = new LineParser((message, bytes) => this.#inbox.push(message, bytes));
    body.on("data", (chunk: Buffer) => {
      // JSON may contain newlines between its tokens, but never inside a string.
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

  /** Marks the input as ended; if the client has no open stream either, the session ends. */
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

  /** Resolves when the stream is opened or lost, or the session has ended. */
  #change(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #release(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}

/** Bytes of events buffered for a client that reconnects. */
const replayBytes = 1024 * 1024;
const defaultGraceMs = 10_000;
/** Delay before a browser reopens a broken stream. */
const retryMs = 500;
const newline = 0x0a;
const space = 0x20;
