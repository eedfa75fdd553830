import { setTimeout as sleep } from "node:timers/promises";
import type { AppServerClient, ServerNotification } from "../../client/index.js";
import { createDeferred } from "../../lib/async.js";
import type { Reconnection } from "../../tui/index.js";

/** The first and the longest wait between two attempts, in milliseconds. */
const waits = { first: 250, longest: 10_000 };

/** A client that connects again whenever its server goes away. */
export type ReconnectingClient = AppServerClient & { reconnection: Reconnection };

/**
 * Wraps a connection and replaces it when it is lost, with growing waits between attempts.
 *
 * Listeners and handlers move to the new connection. Requests reject while there is none; it is up to
 * the listeners of {@link Reconnection} to resume what they were following.
 */
export function createReconnectingClient(
  first: AppServerClient,
  connect: () => Promise<AppServerClient>,
): ReconnectingClient {
  const ended = new AbortController();
  const closed = createDeferred<void>();
  const listeners = new Set<(notification: ServerNotification) => void>();
  const handlers = new Map<string, (client: AppServerClient) => () => void>();
  const reconnection: Reconnection = { onLost: () => {}, onRestored: () => {} };
  let server = first.server;
  let current: AppServerClient | undefined;

  function use(client: AppServerClient): void {
    current = client;
    server = client.server;
    client.onNotification((notification) => {
      for (const listener of listeners) listener(notification);
    });
    for (const add of handlers.values()) add(client);
    void client.closed.then(() => replace(client));
  }

  async function replace(lost: AppServerClient): Promise<void> {
    if (ended.signal.aborted || current !== lost) return;
    current = undefined;
    reconnection.onLost();
    for (let wait = waits.first; ; wait = Math.min(2 * wait, waits.longest)) {
      await sleep(wait, undefined, { signal: ended.signal }).catch(() => undefined);
      if (ended.signal.aborted) return;
      const next = await connect().catch(() => undefined);
      if (next === undefined) continue;
      use(next);
      reconnection.onRestored();
      return;
    }
  }

  use(first);
  return {
    reconnection,
    get server() {
      return server;
    },
    signal: ended.signal,
    closed: closed.promise,
    async request(method, params, signal) {
      if (current === undefined) throw new Error("Not connected to the server");
      return current.request(method, params, signal);
    },
    onNotification(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    onRequest(method, handler) {
      const add = (client: AppServerClient) => client.onRequest(method, handler);
      handlers.set(method, add);
      const undo = current === undefined ? undefined : add(current);
      return () => {
        undo?.();
        handlers.delete(method);
      };
    },
    async close() {
      ended.abort(new Error("Connection closed"));
      await current?.close();
      closed.resolve();
    },
  };
}
