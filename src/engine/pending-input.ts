import type { InputItem, ResponseItem } from "../protocol/types.js";

/** Input that came while a task ran and waits for its next request. */
export class PendingInput {
  #inputs: InputItem[][] = [];
  #items: ResponseItem[] = [];

  get isEmpty(): boolean {
    return this.#inputs.length === 0;
  }

  add(items: InputItem[]): void {
    this.#inputs.push(items);
  }

  /** Keeps an item that nobody waits for an answer to; it makes no request of its own. */
  addItem(item: ResponseItem): void {
    this.#items.push(item);
  }

  /** Hands over the items that wait. */
  takeItems(): ResponseItem[] {
    return this.#items.splice(0);
  }

  /** Hands everything over, each input as its own message; nothing is handed over twice. */
  take(): InputItem[][] {
    const inputs = this.#inputs;
    this.#inputs = [];
    return inputs;
  }
}
