import type { ResponseItem } from "../protocol/types.js";
import type { LinePlace } from "./read.js";

/** Where a response ended, in the conversation and in its file. */
export interface Bookmark {
  /**
   * How many items the conversation had then.
   *
   * Absent when they are not its beginning any more, because it was compacted or rolled back; the
   * file up to `end` still tells them.
   */
  length: number | undefined;
  /** The byte behind the last line that belongs to it. */
  end: number;
}

/** The points of a conversation that a client can come back to, by the id of a response. */
export class Bookmarks {
  readonly all = new Map<string, Bookmark>();
  lastResponseId: string | undefined;
  /** Behind the last item that the model made or a tool answered. */
  #lastModelItem: Bookmark;
  #open: Bookmark | undefined;

  /** `length` counts the items that the conversation has from another file. */
  constructor(length = 0) {
    this.#lastModelItem = { length, end: 0 };
  }

  /** An item was added; outputs of a response's calls belong to the response. */
  afterItem(item: ResponseItem, length: number, { end }: LinePlace): void {
    const isOutput =
      item.type === "function_call_output" || item.type === "custom_tool_call_output";
    if (!isOutput) this.#open = undefined;
    else if (this.#open !== undefined) Object.assign(this.#open, { length, end });
    if (item.type !== "message" || item.role === "assistant") this.#lastModelItem = { length, end };
  }

  /** A response is complete, though the outputs of its calls may follow. */
  endResponse(responseId: string, length: number, { end }: LinePlace): void {
    this.#open = { length, end };
    this.all.set(responseId, this.#open);
    this.lastResponseId = responseId;
  }

  /**
   * A task has ended whose last whole response was this one.
   *
   * Of a response that failed or was interrupted nothing is recorded, so what stands behind the last
   * item of the model's is input that it has not answered.
   */
  endTask(responseId: string): void {
    if (!this.all.has(responseId)) this.all.set(responseId, { ...this.#lastModelItem });
    this.lastResponseId = responseId;
  }

  /** The conversation was cut back to its first items. */
  cut(length: number, { end }: LinePlace): void {
    for (const bookmark of this.all.values()) {
      if (bookmark.length !== undefined && bookmark.length > length) bookmark.length = undefined;
    }
    this.#restart(length, end);
  }

  /** Other items took the place of all; those of a response, if the conversation went back to it. */
  replace(length: number, place: LinePlace, responseId: string | undefined): void {
    const returned = responseId === undefined ? undefined : this.all.get(responseId);
    if (returned?.length === length) {
      this.cut(length, place);
    } else {
      for (const bookmark of this.all.values()) bookmark.length = undefined;
      if (returned !== undefined) returned.length = length;
      else if (responseId !== undefined) this.all.set(responseId, { length, end: place.end });
      this.#restart(length, place.end);
    }
    this.lastResponseId = responseId;
  }

  #restart(length: number, end: number): void {
    this.#open = undefined;
    this.#lastModelItem = { length, end };
    this.lastResponseId = undefined;
  }
}
