import { errorText } from "../../lib/errors.js";
import { UnreachableError } from "../broker.js";
import type { Connection } from "./connection.js";
import { headerNames, type StoredMessage } from "./messages.js";
import type { StreamKind, Subjects } from "./subjects.js";

/**
 * Skips messages that are not ours: each is reported once, and recorded in the tenant's `BAD` stream.
 *
 * The message itself stays in its stream, because only its owner may delete there; every reader skips it.
 */
export class Quarantine {
  readonly #connection: Connection;
  readonly #subjects: Subjects;
  readonly #warn: (text: string) => void;
  readonly #known = new Set<string>();

  constructor(connection: Connection, subjects: Subjects, warn: (text: string) => void) {
    this.#connection = connection;
    this.#subjects = subjects;
    this.#warn = warn;
  }

  /** Reads a value; returns undefined and records the message if that throws. */
  async read<Value>(
    kind: StreamKind,
    message: StoredMessage,
    parse: () => Value | Promise<Value>,
  ): Promise<Value | undefined> {
    try {
      return await parse();
    } catch (error) {
      if (error instanceof UnreachableError) throw error;
      this.add(kind, message, errorText(error));
      return undefined;
    }
  }

  add(kind: StreamKind, { subject, position, data }: StoredMessage, reason: string): void {
    const key = `${kind} ${position}`;
    if (this.#known.has(key)) return;
    if (this.#known.size >= mostKnown) this.#known.clear();
    this.#known.add(key);
    this.#warn(`Skipped message ${position} on ${subject}: ${reason}`);
    const body = { subject, position, reason, data: Buffer.from(data).toString("base64") };
    const record = JSON.stringify({ ...body, data: body.data.slice(0, mostData) });
    // The id is the same at every reader, so that one record remains.
    const headers = { [headerNames.messageId]: `bad ${key}` };
    this.#connection.store(this.#subjects.of("bad", kind), record, { headers }).catch(() => {});
  }
}

const mostKnown = 10_000;
const mostData = 65_536;
