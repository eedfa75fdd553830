import { weigh } from "../transport/index.js";
import type { Notification } from "./message.js";

/** A notification for many peers, written as text once for each form that they speak. */
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
    return (this.#plain ?? this.#versioned)?.length ?? weigh(this.content);
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
    if (writesVersion) {
      this.#versioned ??= JSON.stringify(this.toMessage(true));
      return this.#versioned;
    }
    this.#plain ??= JSON.stringify(this.toMessage(false));
    return this.#plain;
  }
}
