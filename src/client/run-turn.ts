import { createDeferred } from "../lib/async.js";
import { CodexError } from "../protocol/error.js";
import type { Turn } from "../protocol/rpc/v2/turn.js";
import type { AppServerClient } from "./app-server-client.js";
import type { ServerNotification } from "./messages.js";

/** Options for `runTurn`. */
export interface TurnRequest {
  /** The connection. */
  client: AppServerClient;
  /** The id of the thread. */
  threadId: string;
  /** Notifications of the connection, collected since before the thread was opened. */
  feed: ThreadFeed;
  /** Sends the request that starts the turn. */
  start(): Promise<{ turn: { id: string } }>;
  /** Called with each notification of the thread. */
  onNotification(notification: ServerNotification): void;
  /** Interrupts the turn, whose end is still reported. */
  signal?: AbortSignal;
}

/**
 * Runs a turn and resolves with it when it has ended, in any status.
 *
 * Rejects if it cannot start, if the connection is lost, and with the reason of `signal` if the
 * server does not end an interrupted turn.
 */
export async function runTurn(request: TurnRequest): Promise<Turn> {
  const { client, threadId, feed, start, onNotification, signal } = request;
  signal?.throwIfAborted();
  const ended = createDeferred<Turn>();
  const gone = () =>
    ended.reject(new CodexError("connection", "Connection lost before the turn ended"));
  client.signal.addEventListener("abort", gone, { once: true });
  ended.promise.catch(() => undefined); // awaited below, unless the turn does not start
  let turnId: string | undefined;
  const early: Turn[] = [];
  feed.follow(threadId, (notification) => {
    onNotification(notification);
    if (notification.method !== "turn/completed") return;
    const { turn } = notification.params;
    if (turn.id === turnId) ended.resolve(turn);
    else if (turnId === undefined) early.push(turn);
  });
  try {
    turnId = (await start()).turn.id;
    const done = early.find(({ id }) => id === turnId);
    if (done !== undefined) return done;
    return await interruptible(ended.promise, signal, () =>
      client.request("turn/interrupt", { threadId, turnId: turnId ?? "" }),
    );
  } finally {
    client.signal.removeEventListener("abort", gone);
  }
}

async function interruptible(
  ended: Promise<Turn>,
  signal: AbortSignal | undefined,
  interrupt: () => Promise<unknown>,
): Promise<Turn> {
  if (signal === undefined) return ended;
  const gaveUp = createDeferred<never>();
  let patience: NodeJS.Timeout | undefined;
  const onAbort = () => {
    // A turn that has just ended cannot be interrupted; the notification of its end follows.
    void interrupt().catch(() => undefined);
    patience = setTimeout(() => gaveUp.reject(signal.reason), patienceMs);
  };
  if (signal.aborted) onAbort();
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([ended, gaveUp.promise]);
  } finally {
    clearTimeout(patience);
    signal.removeEventListener("abort", onAbort);
  }
}

/** Time for the server to end an interrupted turn. */
const patienceMs = 10_000;

/**
 * Notifications of one thread, starting before its id is known.
 *
 * A server may send notifications right after the reply that contains the id, so a caller
 * subscribes first and selects the thread later. Notifications without a thread belong to all
 * threads.
 */
export class ThreadFeed {
  #early: ServerNotification[] = [];
  #threadId: string | undefined;
  #listener: ((notification: ServerNotification) => void) | undefined;
  /** Unsubscribes. */
  readonly stop: () => void;

  /** Starts to collect the notifications of a connection. */
  constructor(client: AppServerClient) {
    this.stop = client.onNotification((notification) => this.#onNotification(notification));
  }

  /** Selects the thread; the listener first receives the buffered notifications. */
  follow(threadId: string, listener: (notification: ServerNotification) => void): void {
    this.#threadId = threadId;
    this.#listener = listener;
    for (const notification of this.#early.splice(0)) this.#onNotification(notification);
  }

  #onNotification(notification: ServerNotification): void {
    if (this.#listener === undefined) {
      this.#early.push(notification);
      // With that many notifications before the reply, the oldest are of other threads.
      if (this.#early.length > maxEarly) this.#early.shift();
      return;
    }
    const { threadId } = (notification.params ?? {}) as { threadId?: string | null };
    if (threadId == null || threadId === this.#threadId) this.#listener(notification);
  }
}

const maxEarly = 4096;
