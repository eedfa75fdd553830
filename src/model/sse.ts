import { createParser, type EventSourceParser } from "eventsource-parser";
import type { ModelBehavior } from "../compat/index.js";
import { parseRecord } from "../protocol/read/check.js";
import { closedEarly, eventTooLarge, mostCalls, tooManyCalls } from "./failure.js";
import { readStreamEvent } from "./read-stream-event.js";
import type { StreamReader } from "./stream-reader.js";
import type { ModelFailure, StreamItem } from "./types.js";

/** Far above any real event; a larger one is an attack. */
const largestEvent = 64 * 1024 * 1024;

/** Parses the text of an event stream, split at any point, into stream items. */
export class EventReader implements StreamReader {
  /** Outcome of the response while more may follow: a failure, or (in 2025) its completion. */
  #outcome: StreamItem | undefined;
  #parser: EventSourceParser;
  #behavior: ModelBehavior;
  #batch: StreamItem[] = [];
  #started = false;
  #ended = false;
  #events = 0;
  #calls = 0;

  constructor(behavior: ModelBehavior, limit = largestEvent) {
    this.#behavior = behavior;
    this.#parser = createParser({
      maxBufferSize: limit,
      onEvent: ({ data }) => this.#read(data),
      onError: (error) => {
        if (error.type !== "max-buffer-size-exceeded") return;
        this.#fail(eventTooLarge(limit));
      },
    });
  }

  /** True if the response has ended except for optional events that may follow. */
  get settled(): boolean {
    return this.#outcome !== undefined;
  }

  /** True if all of the response was reported, including its end; the rest is not parsed. */
  get ended(): boolean {
    return this.#ended;
  }

  /** Number of events, including ignored ones; comments do not count. */
  get events(): number {
    return this.#events;
  }

  /** Parses the next piece of text and returns the items completed by it. */
  feed(text: string): readonly StreamItem[] {
    if (this.#ended) return [];
    this.#parser.feed(this.#started ? text : withoutMark(text));
    this.#started = true;
    const batch = this.#batch;
    if (batch.length > 0) this.#batch = [];
    return batch;
  }

  readWhole(body: string): readonly StreamItem[] {
    for (const event of toEvents(body)) this.#read(JSON.stringify(event));
    return [...this.#batch, ...this.finish()];
  }

  /** Returns the items for the end of the stream; a stream that ends early is a failure. */
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

  /** Items after a failure still count, and a completion after it replaces it. */
  #push(item: StreamItem): void {
    if (item.type === "failed") {
      if (this.#outcome?.type !== "completed") this.#outcome = item;
    } else if (item.type === "completed" && this.#behavior.betaApi) {
      this.#outcome = item;
    } else if (isCall(item) && ++this.#calls > mostCalls) {
      this.#fail(tooManyCalls());
    } else {
      this.#batch.push(item);
      if (item.type === "completed") this.#ended = true;
    }
  }

  /** Ends the response at once: what follows is not trusted. */
  #fail(failure: ModelFailure): void {
    this.#batch.push({ type: "failed", failure });
    this.#ended = true;
  }
}

/** Calls that we run; the server itself may search the web as often as it wants. */
const callTypes: ReadonlySet<string> = new Set([
  "function_call",
  "custom_tool_call",
  "local_shell_call",
  "tool_search_call",
]);

function isCall(item: StreamItem): boolean {
  return item.type === "item_done" && callTypes.has(item.item.type);
}

/** Returns the events that a stream would have had for a whole response. */
function toEvents(body: string): object[] {
  const response = parseRecord(body);
  if (response === undefined) return [];
  const output = Array.isArray(response.output) ? response.output : [];
  const items = output.map((item) => ({ type: "response.output_item.done", item }));
  return [...items, { type: `response.${response.status ?? "failed"}`, response }];
}

/** Some servers start with a byte order mark. */
function withoutMark(text: string): string {
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}
