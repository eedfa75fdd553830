import { weigh } from "../transport/index.js";
import type { Notification } from "./message.js";

/** A notification for many peers, serialized once for all of them. */
export class SharedNotification {
  readonly content: Notification;
  readonly members: Record<string, unknown> | undefined;
  #plain: string | undefined;
  #versioned: string | undefined;

  /** `members` stand beside `method` and `params`, on surfaces that have more of them. */
  constructor(content: Notification, members?: Record<string, unknown>) {
    this.content = content;
    this.members = members;
  }

  /** About how many bytes it takes as text. */
  get weight(): number {
    return this.#plain?.length ?? weigh(this.content);
  }

  toMessage(writesVersion: boolean): Record<string, unknown> {
    const { method, params } = this.content;
    const message = params === undefined ? { method } : { method, params };
    if (!writesVersion && this.members === undefined) return message;
    return { ...(writesVersion && { jsonrpc: "2.0" }), ...message, ...this.members };
  }

  /** Lets go of what was written; it is written anew for whoever still asks. */
  forgetText(): void {
    this.#plain = undefined;
    this.#versioned = undefined;
  }

  toText(writesVersion: boolean): string {
    this.#plain ??= this.serialize();
    if (!writesVersion) return this.#plain;
    // A message has members, so the version goes in front of the first one.
    this.#versioned ??= `{"jsonrpc":"2.0",${this.#plain.slice(1)}`;
    return this.#versioned;
  }

  /** The text without the `jsonrpc` member. */
  protected serialize(): string {
    return JSON.stringify(this.toMessage(false));
  }
}
