import type { StoredMessage } from "./messages.js";
import type { Table } from "./table.js";

/** Times that changes are read again, before everything is: somebody writes all the time. */
const attempts = 3;

/**
 * The rows of a table as they were last read, so that a list reads only what has changed.
 *
 * A list is as new as the table at its call. A value that is undefined was not valid, or was removed.
 */
export class RowCache<Value> {
  readonly #table: Table;
  readonly #read: (message: StoredMessage) => Promise<Value | undefined>;
  #rows = new Map<string, Value | undefined>();
  /** Position up to which the table was read, and the stream that it was read from. */
  #readTo = 0;
  #createdAt = "";
  #last: Promise<unknown> = Promise.resolve();

  constructor(table: Table, read: (message: StoredMessage) => Promise<Value | undefined>) {
    this.#table = table;
    this.#read = read;
  }

  /** Returns the values of now. */
  list(): Promise<Value[]> {
    const listed = this.#last.then(() => this.#list());
    this.#last = listed.catch(() => {});
    return listed;
  }

  async #list(): Promise<Value[]> {
    for (let attempt = 0; attempt < attempts; attempt++) {
      const { createdAt, last, rows } = await this.#table.size();
      // A broker that has lost its store counts from 1 again.
      if (this.#rows.size === 0 || createdAt !== this.#createdAt || last < this.#readTo) {
        await this.#readAll(createdAt);
      } else if (last > this.#readTo) {
        await this.#take(await this.#table.changes(this.#readTo));
        this.#readTo = Math.max(this.#readTo, last);
      }
      // A row that was deleted leaves no message.
      if (this.#rows.size === rows) return this.#values;
    }
    await this.#readAll(this.#createdAt);
    return this.#values;
  }

  get #values(): Value[] {
    return [...this.#rows.values()].filter((value) => value !== undefined);
  }

  async #readAll(createdAt: string): Promise<void> {
    this.#rows = new Map();
    this.#readTo = 0;
    this.#createdAt = createdAt;
    await this.#take(await this.#table.changes());
  }

  async #take(messages: readonly StoredMessage[]): Promise<void> {
    const values = await Promise.all(messages.map((message) => this.#read(message)));
    for (const [index, { subject, position }] of messages.entries()) {
      this.#rows.delete(subject);
      this.#rows.set(subject, values[index]);
      this.#readTo = Math.max(this.#readTo, position);
    }
  }
}
