import type { ResponseItem } from "../protocol/types.js";

/** A point of the conversation that a client can come back to. */
interface Bookmark {
  items: readonly ResponseItem[];
  length: number;
  /** Outputs of the calls that this response made: the model has not seen them yet. */
  outputs: readonly ResponseItem[];
}

/**
 * What the model is shown of the conversation.
 *
 * The list only grows; going back to a bookmark starts a new list and leaves the old one to the
 * bookmarks that point into it, so every bookmark stays valid and nothing is copied before that.
 */
export class History {
  #items: ResponseItem[] = [];
  #bookmarks = new Map<string, Bookmark>();
  #lastResponseId: string | undefined;

  get items(): readonly ResponseItem[] {
    return this.#items;
  }

  /** The response after which the next request continues, if the provider keeps responses. */
  get lastResponseId(): string | undefined {
    return this.#lastResponseId;
  }

  append(items: readonly ResponseItem[]): void {
    for (const item of items) this.#items.push(item);
  }

  /** Marks the end of a response whose items, and the outputs of its calls, are recorded. */
  bookmark(responseId: string, outputs: readonly ResponseItem[]): void {
    this.#bookmarks.set(responseId, { items: this.#items, length: this.#items.length, outputs });
    this.#lastResponseId = responseId;
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
    return true;
  }

  /** Forgets what comes after the first items; bookmarks stay valid. */
  truncate(length: number): void {
    this.#items = this.#items.slice(0, length);
    this.#lastResponseId = undefined;
  }

  /** What the model has not seen since its last response. */
  sinceLastResponse(): ResponseItem[] {
    const bookmark = this.#bookmarks.get(this.#lastResponseId ?? "");
    if (bookmark === undefined) return [...this.#items];
    return [...bookmark.outputs, ...this.#items.slice(bookmark.length)];
  }

  /** Takes over a recorded conversation; positions before its last summary are not kept here. */
  restore(
    items: readonly ResponseItem[],
    bookmarks: ReadonlyMap<string, { length?: number | undefined }>,
    lastResponseId: string | undefined,
  ): void {
    this.#items = [...items];
    this.#lastResponseId = lastResponseId;
    for (const [responseId, { length }] of bookmarks) {
      if (length === undefined) continue;
      this.#bookmarks.set(responseId, { items: this.#items, length, outputs: [] });
    }
  }

  /** Starts over from other items, as compaction does; bookmarks before it stay valid. */
  replace(items: readonly ResponseItem[]): void {
    this.#items = [...items];
    this.#lastResponseId = undefined;
  }
}
