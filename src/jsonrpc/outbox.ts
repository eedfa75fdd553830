import { type Channel, weigh } from "../transport/index.js";
import type { Notification } from "./message.js";
import { SharedNotification } from "./shared-notification.js";

/** How messages are written, and what is done for a peer that reads them too slowly. */
export interface OutboxOptions {
  /** The peer is let go once this much waits for it. */
  backlogBytes: number;
  /**
   * Puts notifications together that have to wait: gets two that follow each other and returns one
   * that says both, or undefined when they must stay apart.
   */
  merge?: ((previous: Notification, next: Notification) => Notification | undefined) | undefined;
  onOverflow(): void;
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
  /** Whether notifications carry `"jsonrpc":"2.0"`. */
  writesVersion: boolean;

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
    else if (this.#pass(outgoing)) return;
    else this.#slowDown();
    if (this.backlog > this.#options.backlogBytes) this.#options.onOverflow();
  }

  /** Sends what was held back, whether the peer reads it or not. */
  flush(): void {
    for (const { outgoing } of this.#takeHeld()) this.#tryTo(() => this.#pass(outgoing));
  }

  #pass(outgoing: Outgoing): boolean {
    if (typeof outgoing === "string") return this.#channel.sendText(outgoing);
    if (!(outgoing instanceof SharedNotification)) return this.#channel.send(outgoing);
    const { writesVersion } = this;
    if (this.#channel.takesValues) return this.#channel.send(outgoing.toMessage(writesVersion));
    return this.#channel.sendText(outgoing.toText(writesVersion));
  }

  /** Only what could be merged is worth holding back; otherwise the channel keeps the queue. */
  #slowDown(): void {
    if (this.#options.merge === undefined || !this.#channel.isOpen) return;
    this.#isWaiting = true;
    void this.#channel.drained().then(() => {
      this.#isWaiting = false;
      for (const { outgoing } of this.#takeHeld()) this.#tryTo(() => this.send(outgoing));
    });
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
