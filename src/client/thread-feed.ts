import type { AppServerClient } from "./app-server-client.js";
import type { ServerNotification } from "./messages.js";

/**
 * What is told of one thread, from before its name is known on.
 *
 * A server may tell of a thread right behind the answer that names it, so whoever starts one
 * listens first and says later to which thread. What is told of no thread belongs to each.
 */
export class ThreadFeed {
  #early: ServerNotification[] = [];
  #threadId: string | undefined;
  #listener: ((notification: ServerNotification) => void) | undefined;
  /** Ends the feed. */
  readonly stop: () => void;

  constructor(client: AppServerClient) {
    this.stop = client.onNotification((notification) => this.#hear(notification));
  }

  /** Says which thread it is; what was told of it already comes first. */
  follow(threadId: string, listener: (notification: ServerNotification) => void): void {
    this.#threadId = threadId;
    this.#listener = listener;
    for (const notification of this.#early.splice(0)) this.#hear(notification);
  }

  #hear(notification: ServerNotification): void {
    if (this.#listener === undefined) {
      this.#early.push(notification);
      // A server that tells that much in front of its answer tells of other threads.
      if (this.#early.length > mostEarly) this.#early.shift();
      return;
    }
    const { threadId } = (notification.params ?? {}) as { threadId?: string | null };
    if (threadId == null || threadId === this.#threadId) this.#listener(notification);
  }
}

const mostEarly = 4096;
