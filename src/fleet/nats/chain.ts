import { CodexError } from "../../protocol/error.js";
import { UnreachableError } from "../broker.js";
import { Changes } from "../changes.js";
import { Arrivals } from "./arrivals.js";
import { ApiError, type Connection } from "./connection.js";
import { scan } from "./consumer.js";
import { headerNames, readMessage, type StoredMessage } from "./messages.js";
import type { StreamKind, Subjects } from "./subjects.js";
import { Turnstile } from "./turnstile.js";

/**
 * Messages of one subject, each appended after the last one that its writer knew.
 *
 * A message names the positions of those before it. A reader follows these from the last message back, so reading costs
 * what the thread has, however large the stream is. If a message without positions is in between, the stream is searched.
 */
export class Chain {
  readonly #connection: Connection;
  readonly #stream: string;
  readonly #subjects: Subjects;
  readonly #looks = new Turnstile(mostLooks);
  /** Last known positions of subjects, the nearest first. */
  readonly #known = new Map<string, number[]>();

  constructor(connection: Connection, subjects: Subjects, kind: StreamKind) {
    this.#connection = connection;
    this.#subjects = subjects;
    this.#stream = subjects.stream(kind);
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

  /** Position of the last message of all subjects. */
  async end(): Promise<number> {
    const info = { state: { last_seq: 0 } };
    const { state } = await this.#connection.api<typeof info>(`STREAM.INFO.${this.#stream}`, {});
    return state.last_seq;
  }

  /** Reads the messages of several subjects after a position, without their bodies. */
  heads(filter: string, after: number): Promise<StoredMessage[]> {
    return scan(this.#connection, this.#stream, { filter, after, headersOnly: true });
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

  /**
   * Reads all messages after a position, and later ones, until the signal aborts.
   *
   * The server passes each message on once it is stored. The stream itself is read at the start, after a gap, and now and
   * then, since a message may be lost on the way.
   */
  async *follow(
    subject: string,
    after: number,
    signal: AbortSignal,
  ): AsyncGenerator<StoredMessage> {
    const ends = [signal, this.#connection.closed];
    const isOver = () => ends.some(({ aborted }) => aborted);
    const changes = new Changes();
    const arrivals = new Arrivals();
    let misses = 0;
    const subscription = this.#connection.subscribe(this.#subjects.stored(subject), (message) => {
      arrivals.add(message);
      changes.notify();
    });
    let position = after;
    try {
      while (!isOver()) {
        const found = await this.#readIfUp(subject, position);
        for (const message of found ?? []) {
          if (isOver()) return;
          yield message;
          position = message.position;
        }
        if (found === undefined || found.length > 0) misses = 0;
        const untilMs = performance.now() + (found === undefined ? downMs : delayOf(misses++));
        // Messages that follow directly need no look at the stream.
        for (;;) {
          const next = arrivals.take(position);
          if (next === "gap" || isOver()) break;
          if (next !== undefined) {
            yield next;
            position = next.position;
            misses = 0;
          } else {
            const leftMs = untilMs - performance.now();
            if (leftMs <= 0 || (await this.#wait(changes, leftMs, ends)) === "returned") break;
          }
        }
      }
    } finally {
      subscription.unsubscribe();
      this.#known.delete(subject);
    }
  }

  async #readIfUp(subject: string, after: number): Promise<StoredMessage[] | undefined> {
    try {
      // When a connection is back, thousands of followers look at once: the server would cut a client off that cannot follow.
      return await this.#looks.pass(() => this.read(subject, after));
    } catch (error) {
      if (error instanceof UnreachableError) return undefined;
      throw error;
    }
  }

  /** Waits for a message or the return of the connection, at most so long. */
  #wait(
    changes: Changes,
    ms: number,
    signals: readonly AbortSignal[],
  ): Promise<"returned" | undefined> {
    return new Promise((resolve) => {
      const finish = (how?: "returned") => {
        cancelChange();
        cancelReturn();
        resolve(how);
      };
      let cancelReturn = () => {};
      const cancelChange = changes.once(() => finish(), signals, ms);
      cancelReturn = this.#connection.returned.once(
        (isBack) => finish(isBack ? "returned" : undefined),
        signals,
      );
    });
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

/** Pause before the stream is read again, which grows while it brings nothing new. */
function delayOf(misses: number): number {
  return delaysMs[misses] ?? restMs;
}

const delaysMs = [500, 500, 1000, 2000, 10_000, 30_000];
/** Each look brings the last message, for each thread that a client has open. */
const restMs = 60_000;
const mostLooks = 32;
/** Pause if the broker does not answer. */
const downMs = 200;
const mostBefore = 32;
/** More than a process has at work; the rest would only be memory of threads that were unloaded. */
const mostSubjects = 1_000;

/** Parses the body of a message as JSON. */
export function parseBody(data: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(data).toString());
  } catch (error) {
    throw new CodexError("invalid_request", "The message is not JSON", { cause: error });
  }
}
