import type { InputItem } from "../protocol/types.js";

/** Input that came while a task ran and waits for its next request. */
export class PendingInput {
  #inputs: InputItem[][] = [];

  get isEmpty(): boolean {
    return this.#inputs.length === 0;
  }

  add(items: InputItem[]): void {
    this.#inputs.push(items);
  }

  /** Hands everything over, each input as its own message; nothing is handed over twice. */
  take(): InputItem[][] {
    const inputs = this.#inputs;
    this.#inputs = [];
    return inputs;
  }
}
