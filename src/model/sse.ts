import { createParser, type EventSourceParser } from "eventsource-parser";
import type { ModelBehavior } from "../compat/index.js";
import type { StreamReader } from "./ask-stream.js";
import { closedEarly, eventTooLarge } from "./failure.js";
import { readStreamEvent } from "./read-stream-event.js";
import type { StreamItem } from "./types.js";

/** No event of a model comes near this; what is larger is not an answer but an attack. */
const largestEvent = 64 * 1024 * 1024;

/** Reads the text of an event stream, cut anywhere, into stream items. */
export class EventReader implements StreamReader {
  /** How the response ended, while more may follow: a failure, or in 2025 its completion. */
  #outcome: StreamItem | undefined;
  #parser: EventSourceParser;
  #behavior: ModelBehavior;
  #batch: StreamItem[] = [];
  #started = false;
  #ended = false;
  #events = 0;

  constructor(behavior: ModelBehavior, limit = largestEvent) {
    this.#behavior = behavior;
    this.#parser = createParser({
      maxBufferSize: limit,
      onEvent: ({ data }) => this.#read(data),
      onError: (error) => {
        if (error.type !== "max-buffer-size-exceeded") return;
        this.#batch.push({ type: "failed", failure: eventTooLarge(limit) });
        this.#ended = true;
      },
    });
  }

  /** Whether the response has ended but for events that may follow, which a server need not send. */
  get settled(): boolean {
    return this.#outcome !== undefined;
  }

  /** Whether all of the response was reported, its end included; what follows is not read. */
  get ended(): boolean {
    return this.#ended;
  }

  /** How many events there were, those without meaning included; comments do not count. */
  get events(): number {
    return this.#events;
  }

  /** Takes the next piece of text and returns the items that became complete with it. */
  feed(text: string): readonly StreamItem[] {
    if (this.#ended) return [];
    this.#parser.feed(this.#started ? text : withoutMark(text));
    this.#started = true;
    const batch = this.#batch;
    if (batch.length > 0) this.#batch = [];
    return batch;
  }

  /** Reports the end of the response; a stream that ends before it has broken off. */
  finish(): readonly StreamItem[] {
    if (this.#ended) return [];
    this.#ended = true;
    return [this.#outcome ?? { type: "failed", failure: closedEarly() }];
  }

  #read(data: string): void {
    this.#events++;
    if (this.#ended) return;
    const item = readStreamEvent(data, this.#behavior);
    if (item !== undefined) this.#push(item);
  }

  /** Items behind a failure still count, and a completion behind it makes up for it. */
  #push(item: StreamItem): void {
    if (item.type === "failed") {
      if (this.#outcome?.type !== "completed") this.#outcome = item;
    } else if (item.type === "completed" && this.#behavior.completesAtStreamEnd) {
      this.#outcome = item;
    } else {
      this.#batch.push(item);
      if (item.type === "completed") this.#ended = true;
    }
  }
}

/** Some servers begin with a byte-order mark. */
function withoutMark(text: string): string {
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}
