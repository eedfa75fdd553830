import type { SharedNotification } from "../../jsonrpc/index.js";
import type { Responder } from "../requests/request.js";
import { FeedMessage } from "./message.js";

/** A client that is subscribed to a thread. Its methods must not throw. */
export interface Subscriber extends Responder {
  /** True if it also receives the events of the engine (`codex/event/…`). */
  readonly wantsLegacy: boolean;
  notify(message: FeedMessage): void;
  /** Returns a promise while the client is far behind; the engine waits for it. */
  room?(): Promise<void> | undefined;
  /** Some of the missed messages are no longer available. */
  onGap(gap: { after: number; seq: number }): void;
  /** The thread has ended; no message follows. */
  onEnd?(): void;
}

/** A message to send, and its number; 0 if it is not repeated for clients that reconnect. */
interface Outgoing {
  seq: number;
  /** True for an event of the engine (`codex/event/…`). */
  isLegacy: boolean;
  /** Length of the text, if known before it is serialized. */
  length?: number | undefined;
}

/** Sends the messages of a thread to its subscribers, and buffers them for a while for clients that reconnect. */
export class Broadcast {
  readonly subscribers = new Set<Subscriber>();
  /** Number of the last message. */
  seq = 0;
  #legacySubscribers = 0;
  readonly #recent = new RecentMessages(maxRecentBytes);

  get hasLegacySubscribers(): boolean {
    return this.#legacySubscribers > 0;
  }

  /** Number of the last message that is no longer buffered. */
  get lost(): number {
    return this.#recent.lost;
  }

  /** Adds a subscriber; the returned function removes it, and returns false if that was done before. */
  add(subscriber: Subscriber): () => boolean {
    this.subscribers.add(subscriber);
    if (subscriber.wantsLegacy) this.#legacySubscribers++;
    return () => {
      if (!this.subscribers.delete(subscriber)) return false;
      if (subscriber.wantsLegacy) this.#legacySubscribers--;
      return true;
    };
  }

  /** Returns a promise while a subscriber is far behind. */
  room(): Promise<void> | undefined {
    for (const subscriber of this.subscribers) {
      const room = subscriber.room?.();
      if (room !== undefined) return room;
    }
    return undefined;
  }

  send(notification: SharedNotification, { seq, isLegacy, length }: Outgoing): void {
    if (seq > 0) this.seq = seq;
    const message = new FeedMessage(seq, notification, isLegacy, length);
    for (const subscriber of this.subscribers) {
      if (!isLegacy || subscriber.wantsLegacy) subscriber.notify(message);
    }
    if (seq === 0) return;
    message.compact();
    this.#recent.add(message);
  }

  /** Sends a subscriber the messages after a number, or reports the gap if some are no longer buffered. */
  repeat(subscriber: Subscriber, after: number): void {
    const missed = this.#recent.after(after);
    if (missed === undefined) {
      subscriber.onGap({ after, seq: this.lost });
      return;
    }
    for (const message of missed) {
      if (!message.isLegacy || subscriber.wantsLegacy) subscriber.notify(message);
    }
  }

  /** Removes all subscribers after notifying them of the end. */
  end(): void {
    for (const subscriber of [...this.subscribers]) subscriber.onEnd?.();
    this.subscribers.clear();
  }
}

/** Size of the buffer for clients that reconnect. */
const maxRecentBytes = 256 * 1024;

/** Recent messages of a thread, within a size limit, for clients that reconnect. */
export class RecentMessages {
  #messages: FeedMessage[] = [];
  #first = 0;
  #bytes = 0;
  #maxBytes: number;
  /** Sequence number of the last message that was dropped. */
  lost = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  add(message: FeedMessage): void {
    this.#messages.push(message);
    this.#bytes += message.bytes;
    while (this.#bytes > this.#maxBytes && this.#first < this.#messages.length - 1) this.#drop();
    if (this.#first > 256) this.#compact();
  }

  /** Returns the messages after a number; `undefined` if some of them were dropped. */
  after(seq: number): FeedMessage[] | undefined {
    if (seq < this.lost) return undefined;
    return this.#messages.slice(this.#first).filter((message) => message.seq > seq);
  }

  #drop(): void {
    const dropped = this.#messages[this.#first++];
    if (dropped === undefined) return;
    this.#bytes -= dropped.bytes;
    this.lost = dropped.seq;
  }

  /** Frees the dropped slots; not for every message, since it copies the list. */
  #compact(): void {
    this.#messages = this.#messages.slice(this.#first);
    this.#first = 0;
  }
}
