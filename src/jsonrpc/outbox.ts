import { type Channel, weigh } from "../transport/index.js";
import { type Notification, SharedNotification } from "./message.js";

/** Options for writing messages, and for a peer that reads them too slowly. */
export interface OutboxOptions {
  /** A remote peer is disconnected once this many bytes of ordinary messages are pending. */
  backlogBytes: number;
  /** A remote peer is disconnected if it reads nothing for this long while a sender waits for it. */
  stallMs: number;
  /**
   * Merges queued notifications: gets two consecutive ones and returns one with the content of
   * both, or undefined if they must stay separate.
   */
  merge?: ((previous: Notification, next: Notification) => Notification | undefined) | undefined;
  onOverflow(reason: string): void;
  /** Called with the error when a queued notification turns out not to be JSON. */
  onFault(error: unknown): void;
}

/** A message to send: text, a value, or a notification that may still be merged. */
export type Outgoing = string | Record<string, unknown> | SharedNotification;

/** Sends messages in order and buffers a bounded amount for a slow peer. */
export class Outbox {
  #channel: Channel;
  #options: OutboxOptions;
  #held: { outgoing: Outgoing; bytes: number }[] = [];
  #heldBytes = 0;
  #isWaiting = false;
  /** True if notifications carry `"jsonrpc":"2.0"`. */
  writesVersion: boolean;
  /** The backlog after the last message that was queued, and how much of it large messages are. */
  #seen = 0;
  #large = 0;
  #room: Promise<void> | undefined;

  constructor(channel: Channel, writesVersion: boolean, options: OutboxOptions) {
    this.#channel = channel;
    this.#options = options;
    this.writesVersion = writesVersion;
  }

  /** Approximate number of bytes that the peer has not read. */
  get backlog(): number {
    return this.#channel.backlog + this.#heldBytes;
  }

  send(outgoing: Outgoing): void {
    if (this.#isWaiting) this.#hold(outgoing);
    else if (this.#pass(outgoing)) {
      if (this.#seen > 0) this.#forgetBacklog();
      return;
    } else this.#slowDown();
    this.#limitBacklog();
  }

  /** Sends queued messages even if the peer does not read. */
  flush(): void {
    for (const { outgoing } of this.#takeHeld()) this.#tryTo(() => this.#pass(outgoing));
  }

  /**
   * Returns a promise if senders should wait: it resolves when the peer has read enough, or is
   * gone. Otherwise nothing is allocated, so it is cheap enough to call for every message.
   */
  room(): Promise<void> | undefined {
    if (this.backlog <= this.#options.backlogBytes / pressure || !this.#channel.isOpen) return;
    this.#room ??= this.#whenRoom().finally(() => {
      this.#room = undefined;
    });
    return this.#room;
  }

  #pass(outgoing: Outgoing): boolean {
    if (typeof outgoing === "string") return this.#channel.sendText(outgoing);
    if (!(outgoing instanceof SharedNotification)) return this.#channel.send(outgoing);
    const { writesVersion } = this;
    if (this.#channel.takesValues) return this.#channel.send(outgoing.toMessage(writesVersion));
    return this.#channel.sendText(outgoing.toText(writesVersion));
  }

  /**
   * Disconnects a remote peer that leaves too much unread. Large messages do not count: a peer that
   * reads gets them too, and their senders wait for `room` before the next one.
   */
  #limitBacklog(): void {
    const { backlogBytes, onOverflow } = this.#options;
    const { backlog } = this;
    const grown = backlog - this.#seen;
    this.#seen = backlog;
    if (grown >= largeMessage) this.#large += grown;
    if (this.#channel.isLocal) return;
    const isTooMuch = backlog - this.#large > backlogBytes || backlog > backlogBytes * mostLarge;
    if (isTooMuch) onOverflow(`${Math.round(backlog / mebibyte)} MiB were not read`);
  }

  #forgetBacklog(): void {
    this.#seen = 0;
    this.#large = 0;
  }

  /** Holds back only messages that could be merged; others are queued by the channel. */
  #slowDown(): void {
    if (this.#options.merge === undefined || !this.#channel.isOpen) return;
    this.#isWaiting = true;
    void this.#channel.drained().then(() => {
      this.#isWaiting = false;
      this.#forgetBacklog();
      for (const { outgoing } of this.#takeHeld()) this.#tryTo(() => this.send(outgoing));
    });
  }

  async #whenRoom(): Promise<void> {
    const { backlogBytes, stallMs, onOverflow } = this.#options;
    while (this.#channel.isOpen && this.backlog > backlogBytes / pressure) {
      const before = this.backlog;
      let timer: ReturnType<typeof setTimeout> | undefined;
      const stalled = new Promise<true>((resolve) => {
        timer = setTimeout(resolve, stallMs, true);
        timer.unref?.(); // a browser has numbers for timers
      });
      const isStalled = await Promise.race([this.#channel.drained(), stalled]);
      clearTimeout(timer);
      if (isStalled && this.backlog >= before && !this.#channel.isLocal) {
        onOverflow(`nothing was read for ${stallMs / 1000} s`);
      }
      // Queued messages are sent first, which may fill the channel again.
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
  }

  #tryTo(action: () => void): void {
    try {
      action();
    } catch (error) {
      this.#options.onFault(error);
    }
  }

  #takeHeld(): { outgoing: Outgoing }[] {
    this.#heldBytes = 0;
    return this.#held.splice(0);
  }

  #hold(outgoing: Outgoing): void {
    const last = this.#held.at(-1);
    const merged = last && this.#merge(last.outgoing, outgoing);
    const bytes = sizeOf(merged ?? outgoing) + perMessage;
    this.#heldBytes += bytes;
    if (last === undefined || merged === undefined) {
      this.#held.push({ outgoing, bytes });
      return;
    }
    this.#heldBytes -= last.bytes;
    last.outgoing = merged;
    last.bytes = bytes;
  }

  #merge(previous: Outgoing, next: Outgoing): SharedNotification | undefined {
    if (!(previous instanceof SharedNotification)) return undefined;
    if (!(next instanceof SharedNotification)) return undefined;
    const merged = this.#options.merge?.(previous.content, next.content);
    return merged && new SharedNotification(merged, next.members);
  }
}

function sizeOf(outgoing: Outgoing): number {
  if (typeof outgoing === "string") return outgoing.length;
  return outgoing instanceof SharedNotification ? outgoing.weight : weigh(outgoing);
}

/** Memory overhead of a message besides its text. */
const perMessage = 200;

const mebibyte = 1024 * 1024;

/** Senders wait once this fraction of the limit is pending; below it, slow readers get merged messages. */
const pressure = 8;

/** Messages of at least this size do not count as unread, up to this many times the limit. */
const largeMessage = 2 * mebibyte;
const mostLarge = 16;
