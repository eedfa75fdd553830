import { randomUuid } from "../../lib/ids.js";
import { ApiError, type Connection } from "./connection.js";
import { createConsumer, scan } from "./consumer.js";
import { headerNames, readMessage, type StoredMessage } from "./messages.js";
import type { Subjects } from "./subjects.js";

/** Streams with one value for each name. */
export type TableKind = "lease" | "thread" | "mark" | "worker";

/** Named values, each with the position of its message as revision. */
export class Table {
  readonly #connection: Connection;
  readonly #subjects: Subjects;
  readonly #kind: TableKind;

  constructor(connection: Connection, subjects: Subjects, kind: TableKind) {
    this.#connection = connection;
    this.#subjects = subjects;
    this.#kind = kind;
  }

  get #stream(): string {
    return this.#subjects.stream(this.#kind);
  }

  async get(name: string): Promise<StoredMessage | undefined> {
    const message = await this.#last(name);
    return message === undefined || isRemoved(message) ? undefined : message;
  }

  async list(): Promise<StoredMessage[]> {
    return (await this.changes()).filter((message) => !isRemoved(message));
  }

  /** Returns the last message of each name; if given, only those after a position. Includes marks of removed values. */
  changes(after?: number): Promise<StoredMessage[]> {
    const filter = this.#subjects.all(this.#kind);
    const from = after === undefined ? {} : { after };
    return scan(this.#connection, this.#stream, { filter, ...from });
  }

  /** Returns the number of names, the position of the last message, and the time at which the stream was created. */
  async size(): Promise<{ rows: number; last: number; createdAt: string }> {
    const path = `STREAM.INFO.${this.#stream}`;
    const { created, state } = await this.#connection.api<StreamInfo>(path, {});
    return { rows: state.messages, last: state.last_seq, createdAt: created };
  }

  /** Writes a value whatever was there. */
  async put(name: string, payload: string, headers: Record<string, string> = {}): Promise<void> {
    await this.#store(name, payload, headers);
  }

  /** Writes a value if the revision is still `expected` (0: there is no value); undefined if it is not. */
  async write(name: string, payload: string, expected: number): Promise<number | undefined> {
    const revision = await this.#storeAt(name, payload, { expected });
    if (revision !== undefined || expected !== 0) return revision;
    // A removed value may have left its mark.
    const mark = await this.#last(name);
    if (mark === undefined || !isRemoved(mark)) return undefined;
    return this.#storeAt(name, payload, { expected: mark.position });
  }

  /** Removes a value, if given only at this revision. Its mark stays for `shownMs`, for those who watch. */
  async remove(name: string, expected?: number, shownMs = 0): Promise<boolean> {
    const mark = { [headerNames.removed]: "1" };
    const position =
      expected === undefined
        ? await this.#store(name, "", mark)
        : await this.#storeAt(name, "", { expected, headers: mark });
    if (position === undefined) return false;
    // Nothing is left of it. Were the mark to stay, it would have no effect.
    const body = { seq: position, no_erase: true };
    const erase = () =>
      void this.#connection.api(`STREAM.MSG.DELETE.${this.#stream}`, body).catch(() => {});
    if (shownMs === 0) erase();
    else setTimeout(erase, shownMs).unref();
    return true;
  }

  /** Calls back for each value and each change until the signal aborts; resolves after the values that are there. */
  async watch(onChange: (message: StoredMessage, removed: boolean) => void, signal: AbortSignal) {
    const end = AbortSignal.any([signal, this.#connection.closed]);
    const open = () =>
      createConsumer(this.#connection, this.#stream, {
        deliver_policy: "last_per_subject",
        filter_subject: this.#subjects.all(this.#kind),
      });
    const call = (message: StoredMessage) => onChange(message, isRemoved(message));
    let consumer = await open();
    if (consumer.pending > 0) await consumer.pull({ batch: 1_000_000 }, call, end);
    void (async () => {
      while (!end.aborted) {
        const how = await consumer.pull({ batch: 500, expiresMs: 5_000 }, call, end);
        if (how !== "lost" || end.aborted) continue;
        consumer = await open().catch(async () => {
          await new Promise((resolve) => setTimeout(resolve, 200));
          return consumer;
        });
      }
    })();
  }

  #last(name: string): Promise<StoredMessage | undefined> {
    const subject = this.#subjects.of(this.#kind, name);
    return readMessage(this.#connection, this.#stream, { last_by_subj: subject });
  }

  #store(name: string, payload: string, headers: Record<string, string>): Promise<number> {
    return this.#connection.store(this.#subjects.of(this.#kind, name), payload, {
      headers: { [headerNames.messageId]: randomUuid(), ...headers },
    });
  }

  async #storeAt(
    name: string,
    payload: string,
    { expected, headers = {} }: { expected: number; headers?: Record<string, string> },
  ): Promise<number | undefined> {
    try {
      const at = { ...headers, [headerNames.expected]: String(expected) };
      return await this.#store(name, payload, at);
    } catch (error) {
      if (error instanceof ApiError && error.code === "wrong_sequence") return undefined;
      throw error;
    }
  }
}

interface StreamInfo {
  created: string;
  state: { messages: number; last_seq: number };
}

/** Returns true for the mark of a value that was removed. */
export function isRemoved({ headers }: StoredMessage): boolean {
  return headers.has(headerNames.removed);
}
