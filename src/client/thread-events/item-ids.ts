import type * as wire from "../../protocol/rpc/v2/item.js";

/** Counts the items that are told: `item_0`, `item_1` and so on. */
export class ItemIds {
  #ownSearchIds: boolean;
  #next = 0;
  #running = new Map<string, string>();

  /** Searches are told under the name the model gave them, if asked for; they count all the same. */
  constructor(ownSearchIds: boolean) {
    this.#ownSearchIds = ownSearchIds;
  }

  /** The id of something that is told once. */
  next(): string {
    return `item_${this.#next++}`;
  }

  /** The id of an item that begins, or has begun. */
  started(item: wire.ThreadItem): string {
    const id = this.#running.get(item.id) ?? this.next();
    this.#running.set(item.id, id);
    return this.#toldAs(item, id);
  }

  /** The id of an item that is complete. */
  completed(item: wire.ThreadItem): string {
    const id = this.#running.get(item.id) ?? this.next();
    this.#running.delete(item.id);
    return this.#toldAs(item, id);
  }

  /** Forgets what never was complete. */
  clear(): void {
    this.#running.clear();
  }

  #toldAs(item: wire.ThreadItem, id: string): string {
    return this.#ownSearchIds && item.type === "webSearch" ? item.id : id;
  }
}
