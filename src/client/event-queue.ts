import { Queue } from "../lib/async.js";
import type { ThreadStreamEvent } from "./thread-events/index.js";

/**
 * Events of a turn on their way to one consumer.
 *
 * If the consumer is behind, consecutive deltas of an item are joined, so that their number is bounded by
 * that of the items, and `room` asks the connection to wait.
 */
export class EventQueue implements AsyncIterable<ThreadStreamEvent> {
  readonly #queue = new Queue<ThreadStreamEvent>();
  #last: ThreadStreamEvent | undefined;

  /** Adds an event. */
  push(event: ThreadStreamEvent): void {
    const last = this.#last;
    // The last event is still queued, so the consumer has not seen it.
    const joins = event.type === "item.delta" && this.#queue.size > mostDeltas;
    if (joins && last?.type === "item.delta" && last.item_id === event.item_id) {
      last.delta += event.delta;
      return;
    }
    this.#last = event;
    this.#queue.push(event);
  }

  /** Returns a promise if the consumer is far behind; it resolves when that has caught up. */
  room(): Promise<void> | undefined {
    return this.#queue.size > mostPending ? this.#queue.whenBelow(mostPending / 2) : undefined;
  }

  /** Ends the loop of the consumer after the queued events. */
  close(): void {
    this.#queue.close();
  }

  [Symbol.asyncIterator](): AsyncGenerator<ThreadStreamEvent> {
    return this.#queue[Symbol.asyncIterator]();
  }
}

/** A few megabytes of short texts: the burst of a fast model reaches a fast consumer text by text. */
const mostPending = 24 * 1024;
/** Deltas are joined only if the connection could not wait. */
const mostDeltas = 32 * 1024;
