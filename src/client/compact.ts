import { createDeferred } from "../lib/async.js";
import { CodexError } from "../protocol/error.js";
import type { Turn } from "../protocol/rpc/v2/turn.js";
import type { AppServerClient } from "./app-server-client.js";
import { runTurn, ThreadFeed } from "./run-turn.js";

/** Compacts a thread; resolves with the turn that did it, in any status. */
export async function compactThread(
  client: AppServerClient,
  threadId: string,
  signal: AbortSignal | undefined,
): Promise<Turn> {
  const feed = new ThreadFeed(client);
  const started = createDeferred<{ turn: { id: string } }>();
  started.promise.catch(() => undefined);
  const gone = () =>
    started.reject(new CodexError("connection", "Connection lost before the turn started"));
  client.signal.addEventListener("abort", gone, { once: true });
  try {
    return await runTurn({
      client,
      threadId,
      feed,
      async start() {
        await client.request("thread/compact/start", { threadId }, signal);
        return started.promise;
      },
      onNotification(notification) {
        if (notification.method === "turn/started") started.resolve(notification.params);
      },
      ...(signal === undefined ? {} : { signal }),
    });
  } finally {
    client.signal.removeEventListener("abort", gone);
    feed.stop();
  }
}
