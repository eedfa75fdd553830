import { batch, signal } from "@preact/signals";
import type { ThreadItem } from "../../protocol/rpc/v2/item.js";
import { createEntry, type Entry, isRunning, type NoticeItem, textOf } from "./entries.js";
import { LiveText } from "./live-text.js";

/** An item of the history, with its turn. */
export interface HistoryItem {
  item: ThreadItem;
  turnId: string;
}

/**
 * The items of a conversation in their order, with the texts that are arriving.
 *
 * Items are identified by their turn and id, so that an item that arrives twice is shown once.
 */
export class EntryList {
  readonly entries = signal<readonly Entry[]>([]);
  /** The last entry of each item, by turn and item id. */
  #byItem = new Map<string, Entry>();
  #firstChunk = 0;
  #lastChunk = 0;
  #lastChunkWeight = 0;
  #grown = new Set<Entry>();
  #flushTimer: ReturnType<typeof setTimeout> | undefined;
  #copies = 0;
  /** Entries that ended with their turn: the server records no message that was cut off. */
  #cutOff = new WeakSet<Entry>();

  /** Entries that the history may lack: those whose text still arrives, and those that were cut off. */
  get unrecorded(): Entry[] {
    return this.entries.value.filter(
      (entry) => entry.live.value !== undefined || this.#cutOff.has(entry),
    );
  }

  /**
   * Shows the end of the history. Older pages stay if they continue into it; what was running and
   * is not in the history follows as notifications.
   */
  replace(history: readonly HistoryItem[]): void {
    const known = this.entries.value;
    const [first] = history;
    const overlap = known.findIndex(
      ({ id, turnId }) => id === first?.item.id && turnId === first.turnId,
    );
    const kept = overlap < 0 ? [] : known.slice(0, overlap);
    if (overlap < 0) {
      this.#firstChunk = 0;
      this.#lastChunk = 0;
    }
    this.#byItem = new Map(kept.map((entry) => [keyOf(entry.turnId, entry.id), entry]));
    this.#lastChunk++;
    this.#lastChunkWeight = 0;
    const entries = history.map(({ item, turnId }) =>
      this.#create(item, turnId, { chunk: this.#nextChunk(item), isOld: true }),
    );
    this.entries.value = [...kept, ...entries];
  }

  /** Adds a page of the history before the first item. */
  prepend(older: readonly HistoryItem[]): void {
    let chunk = this.#firstChunk - 1;
    let weight = 0;
    const entries = older.toReversed().map(({ item, turnId }) => {
      if (weight > 0 && weight + weightOf(item) > chunkWeight) {
        chunk--;
        weight = 0;
      }
      weight += weightOf(item);
      return { item, turnId, chunk };
    });
    this.#firstChunk = chunk;
    const created = entries
      .toReversed()
      .map(({ item, turnId, chunk }) => this.#create(item, turnId, { chunk, isOld: true }));
    this.entries.value = [...created, ...this.entries.value];
  }

  /**
   * Shows an unrecorded item again, if the history has its turn but not the item. If its turn still
   * runs the server sends it again; otherwise it has ended.
   */
  restore(entry: Entry, isTurnRunning: boolean): void {
    const { turnId, id } = entry;
    const place = keyOf(turnId, id);
    const at = this.entries.value.findLastIndex((other) => other.turnId === turnId);
    if (this.#byItem.has(place) || at < 0) return;
    const restored = { ...entry, chunk: this.entries.value[at]?.chunk ?? entry.chunk };
    this.#byItem.set(place, restored);
    this.entries.value = this.entries.value.toSpliced(at + 1, 0, restored);
    if (!isTurnRunning) this.#cut(restored);
  }

  /** Shows a message that was cut off with its turn at the end of that turn, if the turn is loaded. */
  addCutOff(item: ThreadItem, turnId: string): void {
    const entry = createEntry(item, { turnId, key: keyOf(turnId, item.id), chunk: 0 });
    this.restore(entry, false);
  }

  /** Adds an item at the end. */
  append(item: ThreadItem | NoticeItem, turnId: string, isRunning: boolean): void {
    const entry = this.#create(item, turnId, { chunk: this.#nextChunk(item), isRunning });
    this.entries.value = [...this.entries.value, entry];
  }

  /** Adds an item that has started, or shows its state again. */
  start(item: ThreadItem, turnId: string): void {
    const entry = this.#byItem.get(keyOf(turnId, item.id));
    if (entry?.live.value !== undefined) {
      entry.item.value = item;
      entry.live.value = new LiveText(textOf(item));
    } else if (entry === undefined || !entry.isOld) {
      this.append(item, turnId, true);
    }
  }

  /** Shows an item as completed; adds it if its start was not announced. */
  complete(item: ThreadItem, turnId: string): void {
    const entry = this.#byItem.get(keyOf(turnId, item.id));
    if (entry === undefined) {
      this.append(item, turnId, false);
      return;
    }
    batch(() => {
      this.#grown.delete(entry);
      entry.item.value = item;
      entry.live.value = undefined;
    });
  }

  /** Changes fields of an item. */
  update({ turnId, itemId }: ItemPlace, change: Partial<ThreadItem>): void {
    const entry = this.#byItem.get(keyOf(turnId, itemId));
    if (entry !== undefined) entry.item.value = { ...entry.item.value, ...change } as ThreadItem;
  }

  /** Appends to a text; the page is updated for many deltas at once. */
  grow({ turnId, itemId }: ItemPlace, delta: string): void {
    const entry = this.#byItem.get(keyOf(turnId, itemId));
    if (entry?.live.value === undefined) return;
    entry.live.value.append(delta);
    this.#grown.add(entry);
    this.#flushTimer ??= setTimeout(() => this.#flush(), frameMs);
  }

  /** Completes the items of a turn that has ended; a process may outlive it. */
  endTurn(turnId: string): void {
    for (const entry of this.entries.value) {
      if (entry.turnId !== turnId || entry.live.value === undefined) continue;
      const item = entry.item.value;
      if (item.type === "commandExecution" && item.processId !== null) continue;
      this.#cut(entry);
    }
  }

  /** Shows an item as ended, with the text so far. */
  #cut(entry: Entry): void {
    this.#cutOff.add(entry);
    if (entry.live.value !== undefined) this.complete(endedItem(entry), entry.turnId);
  }

  #flush(): void {
    this.#flushTimer = undefined;
    batch(() => {
      for (const entry of this.#grown) entry.grown.value++;
      this.#grown.clear();
    });
  }

  #nextChunk(item: ThreadItem | NoticeItem): number {
    const weight = weightOf(item);
    if (this.#lastChunkWeight > 0 && this.#lastChunkWeight + weight > chunkWeight) {
      this.#lastChunk++;
      this.#lastChunkWeight = 0;
    }
    this.#lastChunkWeight += weight;
    return this.#lastChunk;
  }

  #create(
    item: ThreadItem | NoticeItem,
    turnId: string,
    options: { chunk: number; isRunning?: boolean; isOld?: boolean },
  ): Entry {
    const place = keyOf(turnId, item.id);
    const key = this.#byItem.has(place) ? `${place}/${++this.#copies}` : place;
    const running = options.isRunning || isRunning(item);
    const entry = createEntry(item, { turnId, key, ...options, isRunning: running });
    this.#byItem.set(place, entry);
    return entry;
  }
}

/** Turn and id of an item. */
interface ItemPlace {
  turnId: string;
  itemId: string;
}

function keyOf(turnId: string, itemId: string): string {
  return `${turnId}/${itemId}`;
}

/** Returns an item whose turn has ended before it was completed, with the text so far. */
function endedItem({ item, live }: Entry): ThreadItem {
  const value = item.value as ThreadItem;
  const text = `${live.value?.head ?? ""}${live.value?.tail ?? ""}`;
  switch (value.type) {
    case "agentMessage":
    case "plan":
      return { ...value, text };
    case "commandExecution":
      return { ...value, aggregatedOutput: text, status: "failed" };
    case "reasoning":
      return { ...value, summary: [text] };
    default:
      return "status" in value ? ({ ...value, status: "failed" } as ThreadItem) : value;
  }
}

/** Returns how much there is to render of an item; a command, whose output is folded, counts 1. */
function weightOf(item: ThreadItem | NoticeItem): number {
  switch (item.type) {
    case "agentMessage":
    case "plan":
      return 1 + item.text.length / 1000;
    case "fileChange": {
      // Every line of a diff has its words and colors.
      return 1 + item.changes.reduce((sum, { diff }) => sum + diff.length, 0) / 200;
    }
    default:
      return 1;
  }
}

/** Weight of the rows that are rendered at once. */
const chunkWeight = 20;
/** Time between updates of growing texts. */
const frameMs = 16;
