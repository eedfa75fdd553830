import { CodexError } from "../../protocol/error.js";
import { UnreachableError } from "../broker.js";
import { Changes } from "../changes.js";
import { ApiError, type Connection } from "./connection.js";
import { scan } from "./consumer.js";
import { headerNames, readMessage, type StoredMessage } from "./messages.js";

/**
 * Messages of one subject, each appended after the last one that its writer knew.
 *
 * A message names the positions of those before it. A reader follows these from the last message back, so reading costs
 * what the thread has, however large the stream is. If a message without positions is in between, the stream is searched.
 */
export class Chain {
  readonly #connection: Connection;
  readonly #stream: string;
  /** Last known positions of subjects, the nearest first. */
  readonly #known = new Map<string, number[]>();

  constructor(connection: Connection, stream: string) {
    this.#connection = connection;
    this.#stream = stream;
  }

  /**
   * Appends after the position `expected` and returns the new position; undefined if another message is there.
   *
   * A repetition with the same id is not stored again, and returns the position of the first.
   */
  async append(
    subject: string,
    { payload, headers, id }: { payload: string; headers: Record<string, string>; id: string },
    expected: number,
  ): Promise<number | undefined> {
    const known = this.#known.get(subject) ?? [];
    const before = expected === 0 ? [] : known[0] === expected ? known : [expected];
    try {
      const position = await this.#connection.store(subject, payload, {
        headers: {
          ...headers,
          [headerNames.messageId]: id,
          [headerNames.expected]: String(expected),
          [headerNames.before]: before.length === 0 ? "0" : before.join(","),
        },
      });
      this.#remember(subject, [position, ...before]);
      return position;
    } catch (error) {
      if (error instanceof ApiError && error.code === "wrong_sequence") return undefined;
      throw error;
    }
  }

  /** Reads the last message. */
  last(subject: string): Promise<StoredMessage | undefined> {
    return readMessage(this.#connection, this.#stream, { last_by_subj: subject });
  }

  /** Reads all messages after a position, oldest first. */
  async read(subject: string, after: number): Promise<StoredMessage[]> {
    const last = await this.last(subject);
    if (last === undefined || last.position <= after) return [];
    const found = [last];
    for (;;) {
      const first = found.at(-1) as StoredMessage;
      const before = positionsBefore(first);
      if (before === undefined) return this.#search(subject, after);
      const wanted = before.filter((position) => position > after);
      const messages = await Promise.all(
        wanted.map((seq) => readMessage(this.#connection, this.#stream, { seq })),
      );
      for (const message of messages) {
        const [previous] = positionsBefore(found.at(-1) as StoredMessage) ?? [];
        const fits = message?.subject === subject && message.position === previous;
        if (!fits) return this.#search(subject, after);
        found.push(message);
      }
      if (wanted.length < before.length || before.length === 0) break;
    }
    this.#remember(
      subject,
      found.map(({ position }) => position),
    );
    return found.reverse();
  }

  /** Reads all messages after a position, and later ones, until the signal aborts. */
  async *follow(
    subject: string,
    after: number,
    signal: AbortSignal,
  ): AsyncGenerator<StoredMessage> {
    const end = AbortSignal.any([signal, this.#connection.closed]);
    const changes = new Changes();
    // Messages on the subject are hints only: they arrive before they are stored, and also if they are refused.
    const expected = new Set<string>();
    let misses = 0;
    const hint = this.#connection.subscribe(subject, ({ headers }) => {
      expected.add(headers?.get(headerNames.messageId) ?? "");
      misses = 0;
      changes.notify();
    });
    let position = after;
    try {
      while (!end.aborted) {
        const found = await this.#readIfUp(subject, position);
        for (const message of found ?? []) {
          if (end.aborted) return;
          yield message;
          position = message.position;
          expected.delete(message.headers.get(headerNames.messageId) ?? "");
        }
        if (found === undefined) {
          misses = 0;
          await this.#wait(changes, downMs, end);
          continue;
        }
        if (found.length > 0) misses = 0;
        const delayMs = delaysMs[misses++];
        if (delayMs === undefined) expected.clear();
        const leastMs = expected.size === 0 ? quietMs : 0;
        await this.#wait(changes, Math.max(delayMs ?? restMs, leastMs), end);
      }
    } finally {
      hint.unsubscribe();
    }
  }

  async #readIfUp(subject: string, after: number): Promise<StoredMessage[] | undefined> {
    try {
      return await this.read(subject, after);
    } catch (error) {
      if (error instanceof UnreachableError) return undefined;
      throw error;
    }
  }

  /** Waits for a hint or the return of the connection, at most so long. */
  async #wait(changes: Changes, ms: number, signal: AbortSignal): Promise<void> {
    const stop = new AbortController();
    const ends = [signal, stop.signal];
    await Promise.race([changes.next(ends, ms), this.#connection.returned.next(ends)]);
    stop.abort();
  }

  async #search(subject: string, after: number): Promise<StoredMessage[]> {
    const found = await scan(this.#connection, this.#stream, { filter: subject, after });
    this.#remember(subject, found.map(({ position }) => position).reverse());
    return found;
  }

  #remember(subject: string, positions: number[]): void {
    this.#known.delete(subject);
    this.#known.set(subject, positions.slice(0, mostBefore));
    const [oldest] = this.#known.keys();
    if (this.#known.size > mostSubjects && oldest !== undefined) this.#known.delete(oldest);
  }
}

/** Positions before a message, falling; empty for the first one, undefined if the message does not say it. */
function positionsBefore({ headers, position }: StoredMessage): number[] | undefined {
  const text = headers.get(headerNames.before);
  if (text === undefined || !/^\d+(,\d+){0,63}$/.test(text)) return undefined;
  if (text === "0") return [];
  const before = text.split(",").map(Number);
  const falls = before.every((value, at) => value > 0 && value < (before[at - 1] ?? position));
  return falls ? before : undefined;
}

/** Pauses after a hint, a message or a lost connection: the next message may be there without a hint. */
const delaysMs = [1, 5, 20, 100, 500, 1000, 2000];
/** Shortest of them without a hint. */
const quietMs = 500;
/** Pause without a hint. */
const restMs = 10_000;
/** Pause if the broker does not answer. */
const downMs = 200;
const mostBefore = 32;
const mostSubjects = 10_000;

/** Parses the body of a message as JSON. */
export function parseBody(data: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(data).toString());
  } catch (error) {
    throw new CodexError("invalid_request", "The message is not JSON", { cause: error });
  }
}
