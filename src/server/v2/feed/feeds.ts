import type { Thread } from "../../threads/index.js";
import { type FeedParts, ThreadFeed } from "./thread-feed.js";

/** What the live threads tell their clients of v2. */
export class ThreadFeeds {
  #parts: FeedParts;
  #feeds = new Map<string, ThreadFeed>();

  constructor(parts: FeedParts) {
    this.#parts = parts;
  }

  /** The feed of a live thread; it is made when it is first asked for. */
  of(thread: Thread): ThreadFeed {
    const found = this.#feeds.get(thread.id);
    if (found !== undefined) return found;
    const feed = new ThreadFeed(thread, this.#parts, () => this.#feeds.delete(thread.id));
    this.#feeds.set(thread.id, feed);
    return feed;
  }

  /** The feed of a thread, if it has one. */
  find(threadId: string): ThreadFeed | undefined {
    return this.#feeds.get(threadId);
  }
}
