import type { At } from "../broker.js";
import { Changes } from "../changes.js";
import type { Link } from "./link.js";

/**
 * Ordered values of many threads; positions grow over all of them.
 *
 * Values are stored as JSON, so that readers and writers share no objects and see what a network would bring.
 */
export class Journal<Value extends object> {
  readonly #rows = new Map<string, { position: number; json: string }[]>();
  readonly #changes = new Map<string, Changes>();
  #position = 0;
  /** Stored values and their size, for measurements. */
  messages = 0;
  bytes = 0;

  append(threadId: string, value: Value): number {
    const rows = this.#rows.get(threadId) ?? [];
    const json = JSON.stringify(value);
    rows.push({ position: ++this.#position, json });
    this.#rows.set(threadId, rows);
    this.messages++;
    this.bytes += json.length;
    this.#changes.get(threadId)?.notify();
    return this.#position;
  }

  head(threadId: string): number {
    return this.#rows.get(threadId)?.at(-1)?.position ?? 0;
  }

  delete(threadId: string): void {
    this.messages -= this.#rows.get(threadId)?.length ?? 0;
    this.#rows.delete(threadId);
  }

  /** Position of the last value of all threads. */
  get last(): number {
    return this.#position;
  }

  /** Threads with values after a position, and their heads. */
  heads(after: number): Map<string, number> {
    const heads = [...this.#rows.keys()].map((id) => [id, this.head(id)] as const);
    return new Map(heads.filter(([, head]) => head > after));
  }

  *read(threadId: string, after: number): Generator<At<Value>> {
    const rows = this.#rows.get(threadId) ?? [];
    // By index: rows that are appended while a reader is in the middle belong to what it reads.
    for (let index = 0; index < rows.length; index++) {
      const row = rows[index];
      if (row === undefined || row.position <= after) continue;
      yield { ...(JSON.parse(row.json) as Value), position: row.position };
    }
  }

  /** Reads until the signal aborts; pauses while the link is cut. */
  async *follow(
    threadId: string,
    { after, link }: { after: number; link: Link },
    signal: AbortSignal,
  ): AsyncGenerator<At<Value>> {
    const { signal: end, end: detach } = link.until(signal);
    const changes = this.#changes.get(threadId) ?? new Changes();
    this.#changes.set(threadId, changes);
    let position = after;
    try {
      while (!end.aborted) {
        await link.whenUp(end);
        for (const value of this.read(threadId, position)) {
          if (end.aborted) return;
          yield value;
          position = value.position;
          if (link.isCut) break;
        }
        if (!link.isCut && this.head(threadId) <= position) await changes.next(end);
      }
    } finally {
      detach();
    }
  }
}
