import { setMaxListeners } from "node:events";
import {
  type ConnectionOptions,
  connect,
  headers as createHeaders,
  createInbox,
  type Msg,
  type NatsConnection,
  type Subscription,
} from "@nats-io/transport-node";
import { errorText } from "../../lib/errors.js";
import { CodexError } from "../../protocol/error.js";
import { UnreachableError } from "../broker.js";
import { Changes } from "../changes.js";

/** Options for one call. */
export interface CallOptions {
  headers?: Readonly<Record<string, string>>;
  /** The call fails after so long. */
  limitMs?: number;
  /** Creates missing streams and tries again; default: true. */
  repair?: boolean;
}

/** A refusal of the JetStream API. */
export class ApiError extends Error {
  readonly code: "stream_not_found" | "no_message" | "wrong_sequence" | "other";

  constructor(number: number | undefined, description: string) {
    super(description);
    this.code = apiCodes[number ?? 0] ?? "other";
  }
}

const apiCodes: Readonly<Record<number, ApiError["code"]>> = {
  10059: "stream_not_found",
  10037: "no_message",
  10071: "wrong_sequence",
};

/** The server is starting, or a cluster has no leader. */
const transient: ReadonlySet<number> = new Set([10008, 10009, 10076, 10074]);

/**
 * A connection to a NATS server that comes back by itself.
 *
 * A call whose answer was lost with the connection is sent again as soon as the connection is back, so every call must be
 * safe to repeat: stored messages have an id, by which the server recognizes a repetition.
 */
export class Connection {
  readonly address: string;
  /** Notified when the connection is back. */
  readonly returned = new Changes();
  /** Creates what the broker has lost. */
  repair: () => Promise<void> = async () => {};
  readonly #nats: NatsConnection;
  readonly #inboxPrefix: string | undefined;
  readonly #end = new AbortController();
  #isUp = true;
  /** Messages that leave with the next request, or soon. */
  #queued: { subject: string; payload: string }[] = [];
  #repairing: Promise<void> | undefined;

  private constructor(nats: NatsConnection, address: string, inboxPrefix: string | undefined) {
    this.#nats = nats;
    this.address = address;
    this.#inboxPrefix = inboxPrefix;
    setMaxListeners(0, this.#end.signal); // each loop that waits has one
    void this.#watch();
  }

  /** Connects; throws if no server answers within `waitMs`. */
  static async open(
    address: string,
    { waitMs, ...options }: ConnectionOptions & { waitMs: number },
  ): Promise<Connection> {
    const endMs = performance.now() + waitMs;
    for (;;) {
      try {
        const nats = await connect({ ...persistent, ...options });
        return new Connection(nats, address, options.inboxPrefix);
      } catch (error) {
        if (isRefusal(error)) {
          throw new CodexError(
            "auth",
            `The broker at ${address} refused the connection: ${errorText(error)}. Check the credentials in [fleet] of config.toml`,
          );
        }
        if (performance.now() >= endMs) {
          throw new CodexError(
            "connection",
            `No broker answers at ${address}: ${reasonOf(error)}. Start one with \`nats-server -js\`, or correct the address`,
          );
        }
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
    }
  }

  get isUp(): boolean {
    return this.#isUp;
  }

  /** Version of the server. */
  get version(): string {
    return this.#nats.info?.version ?? "of unknown version";
  }

  /** Largest message that the server takes. */
  get maxPayload(): number {
    return this.#nats.info?.max_payload ?? 1_048_576;
  }

  /** Returns a subject for the answers to one request. */
  createInbox(): string {
    return createInbox(this.#inboxPrefix);
  }

  get closed(): AbortSignal {
    return this.#end.signal;
  }

  /** Sends a message that nobody answers; dropped while there is no connection. */
  publish(subject: string, payload: string | Uint8Array, reply?: string): void {
    if (!this.#isUp || this.#end.signal.aborted) return;
    this.#nats.publish(subject, payload, reply === undefined ? {} : { reply });
  }

  /**
   * Sends a message that nobody answers, before the next request, or soon; dropped while there is no connection.
   *
   * Each write wakes the server, and each message that arrives alone wakes its readers.
   */
  publishSoon(subject: string, payload: string): void {
    if (!this.#isUp || this.#end.signal.aborted) return;
    this.#queued.push({ subject, payload });
    // The step that is under way may still end with a request.
    if (this.#queued.length === 1) setImmediate(() => setImmediate(() => this.#publishQueued()));
  }

  #publishQueued(): void {
    for (const { subject, payload } of this.#queued.splice(0)) this.publish(subject, payload);
  }

  /** Calls back for each message until it is unsubscribed; comes back with the connection. */
  subscribe(subject: string, callback: (message: Msg) => void): Subscription {
    return this.#nats.subscribe(subject, {
      callback: (error, message) => {
        if (error === null) callback(message);
      },
    });
  }

  /** Resolves when the server has read all that was sent before. */
  async flush(): Promise<void> {
    await this.ask("$JS.API.INFO", "", callLimitMs);
  }

  /** Calls the JetStream API; throws `ApiError` if it refuses. */
  async api<Result>(name: string, body: object, options: CallOptions = {}): Promise<Result> {
    const { error, ...result } = await this.#call(`$JS.API.${name}`, JSON.stringify(body), options);
    if (error !== undefined) throw new ApiError(error.err_code, error.description);
    return result as Result;
  }

  /** Stores a message and returns its position; throws `ApiError` if the stream refuses it. */
  async store(
    subject: string,
    payload: string | Uint8Array,
    options: CallOptions,
  ): Promise<number> {
    const { error, seq } = await this.#call(subject, payload, options);
    if (error !== undefined) throw new ApiError(error.err_code, error.description);
    if (typeof seq !== "number") {
      throw new CodexError(
        "connection",
        `The broker at ${this.address} has no stream for ${subject}`,
      );
    }
    return seq;
  }

  /** Sends a request and returns the answer, or undefined if nobody listens. */
  async ask(subject: string, payload: string, limitMs: number): Promise<Msg | undefined> {
    const outcome = await this.#attempt(subject, payload, { limitMs });
    if (outcome === "again") throw this.#unreachable(limitMs);
    return outcome === "nobody" ? undefined : outcome;
  }

  async close(): Promise<void> {
    this.#end.abort();
    await this.#nats.close();
  }

  async #call(
    subject: string,
    payload: string | Uint8Array,
    { limitMs = callLimitMs, repair = true, headers }: CallOptions,
  ): Promise<ApiAnswer> {
    const endMs = performance.now() + limitMs;
    for (;;) {
      const leftMs = endMs - performance.now();
      if (leftMs <= 0 || this.#end.signal.aborted) throw this.#unreachable(limitMs);
      const outcome = await this.#attempt(subject, payload, {
        limitMs: Math.min(leftMs, attemptMs),
        ...(headers === undefined ? {} : { headers }),
      });
      if (outcome === "again") continue;
      const answer = outcome === "nobody" ? undefined : parseAnswer(outcome);
      const problem = answer?.error?.err_code ?? 0;
      const isMissing = answer === undefined || problem === 10059;
      if (answer !== undefined && !transient.has(problem) && !(isMissing && repair)) return answer;
      if (isMissing && repair) await this.#repair();
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  /** Tries once; `again` if the connection was lost or did not come back in time. */
  async #attempt(
    subject: string,
    payload: string | Uint8Array,
    { headers, limitMs }: { headers?: CallOptions["headers"]; limitMs: number },
  ): Promise<Msg | "again" | "nobody"> {
    if (!this.#isUp) {
      await this.returned.next(this.#end.signal, limitMs);
      return "again";
    }
    return new Promise((resolve, reject) => {
      const cancel = this.returned.once(() => resolve("again"), this.#end.signal, limitMs);
      this.#publishQueued();
      const request = this.#nats.request(subject, payload, {
        timeout: limitMs,
        ...(headers === undefined ? {} : { headers: toHeaders(headers) }),
      });
      request.then(resolve, (error: unknown) => {
        if (isViolation(error)) reject(this.#forbidden(subject, error));
        else resolve(isNoResponder(error) ? "nobody" : "again");
      });
      request.then(cancel, cancel);
    });
  }

  async #repair(): Promise<void> {
    this.#repairing ??= this.repair()
      .catch(() => {}) // the caller's own call fails in time
      .finally(() => {
        this.#repairing = undefined;
      });
    await this.#repairing;
  }

  #forbidden(subject: string, cause: unknown): CodexError {
    const message = `The broker at ${this.address} does not permit this account to use ${subject}`;
    return new CodexError("auth", message, { cause });
  }

  #unreachable(limitMs: number): UnreachableError {
    const seconds = Math.round(limitMs / 100) / 10;
    return new UnreachableError(`The broker at ${this.address} did not answer within ${seconds} s`);
  }

  async #watch(): Promise<void> {
    for await (const { type } of this.#nats.status()) {
      if (type === "disconnect" || type === "staleConnection") this.#isUp = false;
      if (type !== "reconnect") continue;
      this.#isUp = true;
      this.returned.notify();
    }
  }
}

interface ApiAnswer {
  error?: { err_code?: number; description: string };
  seq?: number;
}

/** Reconnects at once and never gives up. Lost peers are noticed by pings. */
const persistent: ConnectionOptions = {
  timeout: 3_000,
  maxReconnectAttempts: -1,
  reconnectTimeWait: 150,
  reconnectJitter: 50,
  reconnectJitterTLS: 50,
  ignoreAuthErrorAbort: true,
  pingInterval: 3_000,
  maxPingOut: 2,
  // A stack for each request costs more than the request.
  noAsyncTraces: true,
};

const callLimitMs = 5_000;
const attemptMs = 2_000;

function parseAnswer(message: Msg): ApiAnswer {
  try {
    return message.json<ApiAnswer>();
  } catch {
    return { error: { description: "The answer is not JSON" } };
  }
}

function toHeaders(given: Readonly<Record<string, string>>) {
  const headers = createHeaders();
  for (const [name, value] of Object.entries(given)) headers.set(name, value);
  return headers;
}

function isNoResponder(error: unknown): boolean {
  return error instanceof Error && /no responders/i.test(error.message);
}

function isViolation(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.name === "PermissionViolationError" || isViolation(error.cause);
}

function reasonOf(error: unknown): string {
  const text = errorText(error);
  return text.includes("undefined error") ? "the server has closed the connection" : text;
}

/** Returns true if the server has answered, and does not accept the client. */
function isRefusal(error: unknown): boolean {
  return (
    error instanceof Error && /Authorization|Authentication/i.test(`${error.name} ${error.message}`)
  );
}
