import type { Draft } from "../composer/draft.js";

/**
 * Messages sent while a turn runs: steers that it has not consumed yet, and messages queued for the
 * next turns.
 */
export class PendingMessages {
  readonly #steers: Draft[] = [];
  readonly #queue: Draft[] = [];

  get steers(): readonly Draft[] {
    return this.#steers;
  }

  get queue(): readonly Draft[] {
    return this.#queue;
  }

  steer(draft: Draft): void {
    this.#steers.push(draft);
  }

  /** Removes a steer that the turn has consumed. */
  taken(text: string): void {
    const index = this.#steers.findIndex((draft) => draft.text.trim() === text.trim());
    if (index !== -1) this.#steers.splice(index, 1);
  }

  /** Removes a steer that the server rejected. */
  withdraw(draft: Draft): void {
    const index = this.#steers.indexOf(draft);
    if (index !== -1) this.#steers.splice(index, 1);
  }

  enqueue(draft: Draft): void {
    this.#queue.push(draft);
  }

  /** Removes the message for the next turn; unconsumed steers come first. */
  next(): Draft | undefined {
    return this.#steers.shift() ?? this.#queue.shift();
  }

  /** Removes the message queued last, to edit it. */
  takeLast(): Draft | undefined {
    return this.#queue.pop();
  }

  /** Removes all messages, in order. */
  takeAll(): Draft[] {
    return [...this.#steers.splice(0), ...this.#queue.splice(0)];
  }
}
