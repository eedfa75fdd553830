import { setTimeout as delay } from "node:timers/promises";
import { type Channel, weigh } from "../transport/index.js";
import { type Notification, SharedNotification } from "./message.js";

/** Options for writing messages, and for a peer that reads them too slowly. */
export interface OutboxOptions {
  /** A remote peer is disconnected once this many bytes of ordinary messages are pending. */
  backlogBytes: number;
  /** A remote peer is disconnected if it reads nothing for this long while a sender waits for it. */
  stallMs: number;
  /**
   * Puts notifications together that have to wait: gets two that follow each other and returns one
   * that says both, or undefined when they must stay apart.
   */
  merge?: ((previous: Notification, next: Notification) => Notification | undefined) | undefined;
  onOverflow(reason: string): void;
  /** Hears of what was held back and turned out to be no JSON. */
  onFault(error: unknown): void;
}

/** Something to send: as text, as a value, or as a notification that may still change. */
export type Outgoing = string | Record<string, unknown> | SharedNotification;

/** Sends in order and keeps a bounded amount for a peer that reads slowly. */
export class Outbox {
  #channel: Channel;
  #options: OutboxOptions;
  #held: { outgoing: Outgoing; bytes: number }[] = [];
  #heldBytes = 0;
  #isWaiting = false;
  /** True if notifications carry `"jsonrpc":"2.0"`. */
  writesVersion: boolean;
  /** The backlog after the last message that had to wait, and how much of it large messages are. */
  #seen = 0;
  #large = 0;
  #room: Promise<void> | undefined;

  constructor(channel: Channel, writesVersion: boolean, options: OutboxOptions) {
    this.#channel = channel;
    this.#options = options;
    this.writesVersion = writesVersion;
  }

  /** About how many bytes wait for the peer. */
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

  /** Sends what was held back, whether the peer reads it or not. */
  flush(): void {
    for (const { outgoing } of this.#takeHeld()) this.#tryTo(() => this.#pass(outgoing));
  }

  /**
   * Returns a promise if senders that can wait should: it resolves when the peer has read enough, or
   * is gone. Below that point nothing is allocated, so it can be asked as often as something is sent.
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
   * Lets go of a remote peer that leaves too much unread. A large message counts for nothing: it comes
   * as it is, also to a peer that reads, and whoever makes such messages waits for `room` before the next.
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

  /** Only what could be merged is worth holding back; otherwise the channel keeps the queue. */
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
      const timer = new AbortController();
      const stalled = delay(stallMs, true, { signal: timer.signal, ref: false }).catch(() => false);
      const isStalled = await Promise.race([this.#channel.drained(), stalled]);
      timer.abort();
      if (isStalled && this.backlog >= before && !this.#channel.isLocal) {
        onOverflow(`nothing was read for ${stallMs / 1000} s`);
      }
      // What was held back is sent first, which may fill the channel again.
      await delay(0);
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

/** What a message costs in memory besides what it says. */
const perMessage = 200;

const mebibyte = 1024 * 1024;

/** Senders wait from this part of the limit on; below it, slow readers get merged messages. */
const pressure = 8;

/** Messages of at least this size are not counted as unread, up to this many times the limit. */
const largeMessage = 2 * mebibyte;
const mostLarge = 16;
