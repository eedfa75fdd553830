import type { Msg } from "@nats-io/transport-node";
import { headerNames, headersOf, type StoredMessage } from "./messages.js";

/** Messages that the server has passed on, in order, until they are taken. */
export class Arrivals {
  #waiting: { message: StoredMessage; previous: number }[] = [];
  #hasGap = false;

  add(arrived: Msg): void {
    const headers = headersOf(arrived);
    const number = (name: string) => Number(headers.get(name) ?? Number.NaN);
    const [position, previous] = [number(headerNames.position), number(headerNames.previous)];
    const isStored = position > 0 && previous >= 0;
    // Those that are dropped are read from the stream.
    if (!isStored || this.#waiting.length === mostWaiting) {
      this.#hasGap = true;
      return;
    }
    const subject = headers.get("Nats-Subject") ?? "";
    this.#waiting.push({
      message: { subject, position, headers, data: arrived.data },
      previous,
    });
  }

  /** Returns the message that follows a position directly; `gap` if the stream must be read. */
  take(position: number): StoredMessage | "gap" | undefined {
    for (;;) {
      const first = this.#waiting.shift();
      if (first === undefined) break;
      if (first.message.position <= position) continue;
      if (first.previous === position) return first.message;
      this.#waiting = [];
      this.#hasGap = true;
    }
    const hasGap = this.#hasGap;
    this.#hasGap = false;
    return hasGap ? "gap" : undefined;
  }
}

const mostWaiting = 64;
