import { type EraName, eraNames, eraOf, type Wire, wireOf } from "../compat/index.js";
import { isRecord, type JsonRecord } from "../protocol/read/check.js";

/** Eras that messages can be translated to: those with v2. */
export const translatableEras = ["0.104", "0.166"] as const satisfies readonly EraName[];

/** Translation of a message of the server. */
export interface Translated {
  /** Messages for the client. */
  toClient: unknown[];
  /** Messages for the server, on behalf of the client. */
  toServer: unknown[];
  /** Description for the trace; undefined if the message is the same. */
  done?: string;
}

/**
 * Translates messages of a server for clients of an older era.
 *
 * Fields, variants and notifications that the era does not have are dropped. A request that the client cannot know is
 * answered with an error on its behalf. Requests of clients are passed on: newer servers accept them.
 */
export class Translation {
  readonly #era: EraName;
  readonly #wire: Wire;
  readonly #version: string;

  constructor(era: EraName) {
    this.#era = era;
    this.#wire = wireOf(era);
    this.#version = eraOf(era).compatibleWith;
  }

  /** False if a server of an era has nothing to drop: it is as old as the client, or older. */
  appliesTo(server: EraName | undefined): boolean {
    return server === undefined || eraNames.indexOf(server) > eraNames.indexOf(this.#era);
  }

  /** Translates a message of the server; `method` is that of the request which it answers. */
  translate(message: unknown, method: string | undefined): Translated {
    if (!isRecord(message)) return same(message);
    if (typeof message.method === "string") return this.#translateCall(message, message.method);
    if (method === undefined || !("result" in message)) return same(message);
    return this.#replaced(message, { result: this.#toResult(method, message.result) });
  }

  #translateCall(message: JsonRecord, method: string): Translated {
    const encoded = this.#wire.has(method) ? this.#wire.params(method, message.params) : undefined;
    const isKnown =
      this.#wire.has(method) && (encoded !== undefined || message.params === undefined);
    if (isKnown) {
      const { emittedAtMs, ...rest } = message;
      const isNew = emittedAtMs !== undefined && !eraOf(this.#era).since["0.166"];
      return this.#replaced(message, { params: encoded }, isNew ? rest : message);
    }
    if (message.id === undefined) {
      return { toClient: [], toServer: [], done: `dropped: era ${this.#era} does not have it` };
    }
    const error = { code: -32601, message: `A client of era ${this.#era} does not know ${method}` };
    const done = `answered with an error: era ${this.#era} does not have it`;
    return { toClient: [], toServer: [{ id: message.id, error }], done };
  }

  #toResult(method: string, result: unknown): unknown {
    const encoded = this.#wire.result(method, result);
    if (method !== "initialize" || !isRecord(encoded)) return encoded;
    const { userAgent, ...rest } = encoded;
    if (typeof userAgent !== "string") return encoded;
    // Clients read the version of the server from it.
    return { userAgent: userAgent.replace(/\/\d+\.\d+\.\d+[\w.-]*/, `/${this.#version}`), ...rest };
  }

  #replaced(message: JsonRecord, change: JsonRecord, base: JsonRecord = message): Translated {
    const [name = "", value] = Object.entries(change)[0] ?? [];
    if (base === message && message[name] === value) return same(message);
    const translated = value === undefined ? base : { ...base, [name]: value };
    return { toClient: [translated], toServer: [], done: `translated to era ${this.#era}` };
  }
}

function same(message: unknown): Translated {
  return { toClient: [message], toServer: [] };
}
