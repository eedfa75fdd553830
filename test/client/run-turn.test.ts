import { expect, test } from "vitest";
import type { AppServerClient } from "../../src/client/app-server-client.js";
import type { ServerNotification } from "../../src/client/messages.js";
import { runTurn, ThreadFeed } from "../../src/client/run-turn.js";

/** Creates a client without a server, whose notifications the test sends. */
function createClient() {
  const listeners = new Set<(notification: ServerNotification) => void>();
  const requests: string[] = [];
  const lost = new AbortController();
  const client = {
    signal: lost.signal,
    request: async (method: string) => void requests.push(method),
    onNotification(listener: (notification: ServerNotification) => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  } as unknown as AppServerClient;
  const notify = (method: string, params: object) => {
    for (const listener of listeners) listener({ method, params } as ServerNotification);
  };
  const complete = (id: string, threadId = "t") =>
    notify("turn/completed", { threadId, turn: { id, status: "completed" } });
  return { client, listeners, requests, notify, complete, lose: () => lost.abort() };
}

function run(
  { client }: ReturnType<typeof createClient>,
  start: () => Promise<{ turn: { id: string } }>,
  signal?: AbortSignal,
) {
  const seen: string[] = [];
  const ended = runTurn({
    client,
    threadId: "t",
    feed: new ThreadFeed(client),
    start,
    onNotification: ({ method }) => seen.push(method),
    ...(signal === undefined ? {} : { signal }),
  });
  return { ended, seen };
}

test("a turn ends with its own `turn/completed`", async () => {
  const server = createClient();
  const { ended, seen } = run(server, async () => ({ turn: { id: "u" } }));
  await Promise.resolve();

  server.complete("other");
  server.complete("u", "another thread");
  server.complete("u");

  expect(await ended).toMatchObject({ id: "u", status: "completed" });
  expect(seen).toEqual(["turn/completed", "turn/completed"]);
});

test("a turn that ends before the reply is not missed", async () => {
  const server = createClient();
  const { ended } = run(server, async () => {
    server.complete("u");
    return { turn: { id: "u" } };
  });

  expect(await ended).toMatchObject({ id: "u" });
});

test("a lost connection rejects the turn", async () => {
  const server = createClient();
  const { ended } = run(server, async () => ({ turn: { id: "u" } }));

  server.lose();

  await expect(ended).rejects.toMatchObject({ code: "connection" });
});

test("a turn that cannot start rejects with the reason", async () => {
  const { ended } = run(createClient(), () => Promise.reject(new Error("no model")));

  await expect(ended).rejects.toThrow("no model");
});

test("an aborted signal interrupts the turn, whose end is still returned", async () => {
  const server = createClient();
  const abort = new AbortController();
  const { ended } = run(server, async () => ({ turn: { id: "u" } }), abort.signal);
  await Promise.resolve();

  abort.abort();
  await expect.poll(() => server.requests).toEqual(["turn/interrupt"]);
  server.complete("u");

  expect(await ended).toMatchObject({ id: "u" });
});

test("a signal that has aborted before starts nothing", async () => {
  let isStarted = false;
  const { ended } = run(
    createClient(),
    async () => {
      isStarted = true;
      return { turn: { id: "u" } };
    },
    AbortSignal.abort(new Error("too late")),
  );

  await expect(ended).rejects.toThrow("too late");
  expect(isStarted).toBe(false);
});

test("notifications before the thread is known are delivered in order", () => {
  const server = createClient();
  const feed = new ThreadFeed(server.client);
  server.notify("warning", { threadId: null, message: "all" });
  server.notify("warning", { threadId: "t", message: "own" });
  server.notify("warning", { threadId: "x", message: "other" });
  const seen: unknown[] = [];

  feed.follow("t", ({ params }) => seen.push((params as { message: string }).message));
  server.notify("warning", { threadId: "t", message: "later" });
  feed.stop();
  server.notify("warning", { threadId: "t", message: "after the end" });

  expect(seen).toEqual(["all", "own", "later"]);
});
