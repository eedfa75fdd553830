import type { ResponseItem } from "../protocol/types.js";

/** A point of the conversation that a client can come back to. */
interface Bookmark {
  items: readonly ResponseItem[];
  length: number;
  /** Outputs of the calls that this response made: the model has not seen them yet. */
  outputs: readonly ResponseItem[];
  /** The provider alone has the beginning of the conversation, so it must be asked to continue. */
  isOnlyStored: boolean;
}

/** State of a recorded conversation at its end, besides its items. */
export interface RestoredState {
  lastResponseId: string | undefined;
  isOnlyStored: boolean;
}

/**
 * The items of a conversation that the model is sent.
 *
 * The list only grows. Returning to a bookmark starts a new list; the old one belongs to the
 * bookmarks that point into it. So every bookmark stays valid, and nothing is copied before that.
 */
export class History {
  #items: ResponseItem[] = [];
  #bookmarks = new Map<string, Bookmark>();
  #lastResponseId: string | undefined;
  #newestResponseId: string | undefined;
  #isOnlyStored = false;

  get items(): readonly ResponseItem[] {
    return this.#items;
  }

  /** Id of the response that the next request continues, if the provider stores responses. */
  get lastResponseId(): string | undefined {
    return this.#lastResponseId;
  }

  /** The last response, also when the conversation was summarized since. */
  get newestResponseId(): string | undefined {
    return this.#newestResponseId;
  }

  /** True if only the provider has the start of the conversation. */
  get isOnlyStored(): boolean {
    return this.#isOnlyStored;
  }

  append(items: readonly ResponseItem[]): void {
    for (const item of items) this.#items.push(item);
  }

  /** Marks the end of a response whose items and tool outputs are recorded. */
  bookmark(responseId: string, outputs: readonly ResponseItem[]): void {
    const [items, isOnlyStored] = [this.#items, this.#isOnlyStored];
    this.#bookmarks.set(responseId, { items, length: items.length, outputs, isOnlyStored });
    this.#lastResponseId = responseId;
    this.#newestResponseId = responseId;
  }

  /** Continues from a response that the provider has and we do not. */
  bookmarkStored(responseId: string): void {
    this.#isOnlyStored = true;
    this.bookmark(responseId, []);
  }

  has(responseId: string): boolean {
    return this.#bookmarks.has(responseId);
  }

  /** Goes back to where a response ended; false when there is no such response. */
  returnTo(responseId: string): boolean {
    const bookmark = this.#bookmarks.get(responseId);
    if (bookmark === undefined) return false;
    this.#items = bookmark.items.slice(0, bookmark.length);
    this.#bookmarks.set(responseId, { ...bookmark, items: this.#items });
    this.#lastResponseId = responseId;
    this.#newestResponseId = responseId;
    this.#isOnlyStored = bookmark.isOnlyStored;
    return true;
  }

  /** Drops everything after the first `length` items; bookmarks stay valid. */
  truncate(length: number): void {
    this.#items = this.#items.slice(0, length);
    this.#lastResponseId = undefined;
    this.#newestResponseId = undefined;
  }

  /** Items added since the last response. */
  sinceLastResponse(): ResponseItem[] {
    const bookmark = this.#bookmarks.get(this.#lastResponseId ?? "");
    if (bookmark === undefined) return [...this.#items];
    return [...bookmark.outputs, ...this.#items.slice(bookmark.length)];
  }

  /** Restores a recorded conversation; positions before its last summary are not available. */
  restore(
    items: readonly ResponseItem[],
    bookmarks: ReadonlyMap<string, { length?: number | undefined }>,
    { lastResponseId, isOnlyStored }: RestoredState,
  ): void {
    this.#items = [...items];
    this.#isOnlyStored = isOnlyStored;
    this.#lastResponseId = lastResponseId;
    this.#newestResponseId = lastResponseId;
    for (const [responseId, { length }] of bookmarks) {
      if (length === undefined) continue;
      const bookmark = { items: this.#items, length, outputs: [], isOnlyStored };
      this.#bookmarks.set(responseId, bookmark);
    }
  }

  /** Starts over from other items, as compaction does; bookmarks before it stay valid. */
  replace(items: readonly ResponseItem[]): void {
    this.#items = [...items];
    this.#lastResponseId = undefined;
    this.#isOnlyStored = false;
  }
}
