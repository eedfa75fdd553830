import type { Draft } from "../composer/draft.js";

/**
 * What the user said while the agent worked: messages given to the running turn that it has not
 * taken up yet, and messages for the turns after it.
 */
export class Waiting {
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

  /** The turn took a message up. */
  taken(text: string): void {
    const index = this.#steers.findIndex((draft) => draft.text.trim() === text.trim());
    if (index !== -1) this.#steers.splice(index, 1);
  }

  /** A message could not be given to the turn. */
  withdraw(draft: Draft): void {
    const index = this.#steers.indexOf(draft);
    if (index !== -1) this.#steers.splice(index, 1);
  }

  enqueue(draft: Draft): void {
    this.#queue.push(draft);
  }

  /** The message for the next turn: those the last one did not take up come first. */
  next(): Draft | undefined {
    return this.#steers.shift() ?? this.#queue.shift();
  }

  /** Takes back the message queued last, to change it. */
  takeLast(): Draft | undefined {
    return this.#queue.pop();
  }

  /** Takes all of it back, in its order. */
  takeAll(): Draft[] {
    return [...this.#steers.splice(0), ...this.#queue.splice(0)];
  }
}
