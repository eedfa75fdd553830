import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { type Opened, type Page, talk } from "./support.js";
import { begin, initialize, say, startAppServer } from "./thread.js";

const answers = [[{ message: "One." }], [{ message: "Two." }]];

async function listed(client: Parameters<typeof talk>[0], params: object = {}): Promise<string[]> {
  const { data } = (await client.call("thread/list", params)) as Page<{ id: string }>;
  return data.map(({ id }) => id);
}

test("a thread is archived while a turn is running, and unarchived", async () => {
  await using server = await startAppServer({ model: [[{ message: "…" }, { hang: true }]] });
  const [client, other] = [server.connect(), server.connect()];
  const threadId = await begin(client);
  await initialize(other);
  await say(client, threadId, "first");
  await client.until("item/agentMessage/delta");

  const archived = await client.call("thread/archive", { threadId });
  const { params } = await client.until("turn/completed");
  await Promise.all([client.until("thread/archived"), other.until("thread/archived")]);
  const lists = [await listed(client), await listed(client, { archived: true })];
  const back = (await client.call("thread/unarchive", { threadId })) as Opened;
  await other.until("thread/unarchived");

  expect(archived).toEqual({});
  expect(params).toMatchObject({ threadId, turn: { status: "interrupted" } });
  expect(client.heard).toContainEqual(
    expect.objectContaining({
      method: "thread/status/changed",
      params: { threadId, status: { type: "notLoaded" } },
    }),
  );
  expect(lists).toEqual([[], [threadId]]);
  expect(back.thread).toMatchObject({
    id: threadId,
    preview: "first",
    model: "mock-model",
    canAcceptDirectInput: null,
    status: { type: "notLoaded" },
  });
  expect(await listed(client)).toEqual([threadId]);
  expect(await client.call("thread/loaded/list", {})).toMatchObject({ data: [] });

  const resumed = await client.call("thread/resume", { threadId, excludeTurns: true });

  expect(resumed).toMatchObject({ thread: { status: { type: "idle" } } });
  expect(other.heard).toContainEqual(
    expect.objectContaining({
      method: "thread/status/changed",
      params: { threadId, status: { type: "idle" } },
    }),
  );
});

test("archiving, unarchiving and deleting an unknown thread is rejected", async () => {
  await using server = await startAppServer();
  const client = server.connect();
  await initialize(client);
  const threadId = "67e55044-10b1-426f-9247-bb680e5fe0c8";
  const ask = (method: string) => client.call(method, { threadId }).catch((error) => error.message);

  expect([
    await ask("thread/archive"),
    await ask("thread/unarchive"),
    await ask("thread/delete"),
    await client.call("thread/name/set", { threadId, name: "x" }).catch((error) => error.message),
  ]).toEqual([
    `no rollout found for thread id ${threadId}`,
    `no archived rollout found for thread id ${threadId}`,
    `no rollout found for thread id ${threadId}`,
    `no rollout found for thread id ${threadId}`,
  ]);
});

test("a thread is deleted without confirmation, but not during a turn", async () => {
  await using server = await startAppServer({
    model: [[{ message: "…" }, { hang: true }], [{ message: "Two." }]],
  });
  const [client, other] = [server.connect(), server.connect()];
  const threadId = await begin(client);
  await initialize(other);
  const turnId = await say(client, threadId, "first");
  await client.until("item/agentMessage/delta");
  const { path } = ((await client.call("thread/read", { threadId })) as Opened).thread;

  const refused = client.call("thread/delete", { threadId });
  await expect(refused).rejects.toThrow(`cannot delete thread ${threadId}: a turn runs in it`);
  await client.call("turn/interrupt", { threadId, turnId });
  const removed = await client.call("thread/delete", { threadId });
  await other.until("thread/deleted");

  expect(removed).toEqual({});
  expect(existsSync(path ?? "")).toBe(false);
  expect(await listed(client)).toEqual([]);
});

test("an archived thread can be deleted", async () => {
  await using server = await startAppServer({ model: answers });
  const client = server.connect();
  const threadId = await begin(client);
  await talk(client, threadId, "first");
  const { path } = ((await client.call("thread/read", { threadId })) as Opened).thread;
  await client.call("thread/archive", { threadId });
  const file = join(server.home, "archived_sessions", basename(path ?? ""));

  expect(existsSync(file)).toBe(true);
  await client.call("thread/delete", { threadId });
  expect(existsSync(file)).toBe(false);
});

test("a loaded or stored thread is named, for lists and other programs", async () => {
  await using server = await startAppServer({ model: answers });
  const [client, other] = [server.connect(), server.connect()];
  const threadId = await begin(client);
  await initialize(other);
  await talk(client, threadId, "first");
  const nameOf = async () =>
    ((await client.call("thread/read", { threadId })) as Opened).thread.name;

  await client.call("thread/name/set", { threadId, name: "  One  " });
  const told = await client.until("thread/name/updated");
  const toldOther = await other.until("thread/name/updated");
  const one = await nameOf();
  await server.server.threads.get(threadId).close();
  await client.call("thread/name/set", { threadId, name: "Two" });
  await client.until("thread/name/updated");
  const two = await nameOf();
  const blank = client.call("thread/name/set", { threadId, name: " " });

  expect(told.params).toEqual({ threadId, threadName: "One" });
  expect(toldOther.params).toEqual({ threadId, threadName: "One" });
  expect([one, two]).toEqual(["One", "Two"]);
  await expect(blank).rejects.toThrow("thread name must not be empty");
  const lines = readFileSync(join(server.home, "session_index.jsonl"), "utf8").trim().split("\n");
  expect(lines.map((line) => JSON.parse(line).thread_name)).toEqual(["One", "Two"]);
});

test("[clients names] a name is read as soon as it is set", async () => {
  await using server = await startAppServer();
  const client = server.connect();
  const threadId = await begin(client);
  const names = Array.from({ length: 20 }, (_, index) => `name ${index}`);
  const read: unknown[] = [];

  for (const name of names) {
    await client.call("thread/name/set", { threadId, name });
    const { thread } = (await client.call("thread/read", { threadId })) as Opened;
    read.push(thread.name);
  }

  expect(read).toEqual(names);
});
