import { createDeferred } from "../lib/async.js";
import { CodexError } from "../protocol/error.js";
import type { Turn } from "../protocol/rpc/v2/turn.js";
import type { AppServerClient } from "./app-server-client.js";
import type { ServerNotification } from "./messages.js";

/** A turn to run: on which thread, how it begins, and who hears of it. */
export interface TurnRequest {
  client: AppServerClient;
  threadId: string;
  feed: ThreadFeed;
  /** Asks for the turn. */
  start(): Promise<{ turn: { id: string } }>;
  onNotification(notification: ServerNotification): void;
  /** Interrupts the turn; how it ended is told all the same. */
  signal?: AbortSignal;
}

/**
 * Runs a turn to its end, whatever that is.
 *
 * Rejects when it cannot begin, when the server is gone, and with the signal's reason when the
 * server does not end a turn that was interrupted.
 */
export async function runTurn(request: TurnRequest): Promise<Turn> {
  const { client, threadId, feed, start, onNotification, signal } = request;
  signal?.throwIfAborted();
  const ended = createDeferred<Turn>();
  const gone = () =>
    ended.reject(new CodexError("connection", "The server is gone; the turn did not end"));
  client.signal.addEventListener("abort", gone, { once: true });
  ended.promise.catch(() => undefined); // awaited below, unless the turn does not even begin
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
    // A turn that has ended meanwhile cannot be interrupted; its end is on the way.
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

/** How long a server may take to end a turn that was interrupted. */
const patienceMs = 10_000;

/**
 * What is told of one thread, from before its name is known on.
 *
 * A server may tell of a thread right behind the answer that names it, so whoever starts one
 * listens first and says later to which thread. What is told of no thread belongs to each.
 */
export class ThreadFeed {
  #early: ServerNotification[] = [];
  #threadId: string | undefined;
  #listener: ((notification: ServerNotification) => void) | undefined;
  /** Ends the feed. */
  readonly stop: () => void;

  constructor(client: AppServerClient) {
    this.stop = client.onNotification((notification) => this.#hear(notification));
  }

  /** Says which thread it is; what was told of it already comes first. */
  follow(threadId: string, listener: (notification: ServerNotification) => void): void {
    this.#threadId = threadId;
    this.#listener = listener;
    for (const notification of this.#early.splice(0)) this.#hear(notification);
  }

  #hear(notification: ServerNotification): void {
    if (this.#listener === undefined) {
      this.#early.push(notification);
      // A server that tells that much in front of its answer tells of other threads.
      if (this.#early.length > mostEarly) this.#early.shift();
      return;
    }
    const { threadId } = (notification.params ?? {}) as { threadId?: string | null };
    if (threadId == null || threadId === this.#threadId) this.#listener(notification);
  }
}

const mostEarly = 4096;
