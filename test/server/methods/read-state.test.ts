import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { talk } from "./support.js";
import { initialize, startAppServer, startThread } from "./thread.js";

const answers = [[{ message: "One." }], [{ message: "Two." }]];

test("a thread is unread from its first unread turn on, for all clients", async () => {
  await using server = await startAppServer({ model: answers });
  const [client, plain] = [server.connect(), server.connect()];
  await initialize(client, { experimentalApi: true });
  await initialize(plain);
  const threadId = await startThread(client);
  const states = async () =>
    ((await plain.call("thread/list", {})) as { readStates: Record<string, { revision: string }> })
      .readStates;
  const mark = (type: string, expectedRevision: string | undefined) =>
    client.call("thread/readState/update", { threadId, operation: { type }, expectedRevision });

  const first = await talk(client, threadId, "first");
  const told = await client.until("thread/readState/changed");
  const unread = { type: "turn", turnId: first };
  const before = await states();
  const stale = mark("read", "another");
  await expect(stale).rejects.toMatchObject({
    message: "read state changed",
    data: { reason: "readStateConflict", readState: before[threadId] },
  });
  const read = (await mark("read", before[threadId]?.revision)) as {
    readState: { revision: string };
  };
  const second = await talk(client, threadId, "second");
  const after = await states();

  const revision = expect.any(String);
  expect(told.params).toEqual({ threadId, readState: { firstUnread: unread, revision } });
  expect(before).toEqual({ [threadId]: { firstUnread: unread, revision } });
  expect(read).toEqual({ readState: { firstUnread: null, revision } });
  expect(after).toEqual({
    [threadId]: { firstUnread: { type: "turn", turnId: second }, revision },
  });
  expect(plain.heard.map(({ method }) => method)).not.toContain("thread/readState/changed");
});

test("a turn without an answer leaves nothing to read", async () => {
  await using server = await startAppServer({
    model: [[{ message: "One." }], [{ message: "Summary." }]],
  });
  const client = server.connect();
  await initialize(client, { experimentalApi: true });
  const threadId = await startThread(client);
  await talk(client, threadId, "first");
  client.heard.length = 0;

  await client.call("thread/compact/start", { threadId });
  await client.until("turn/completed");

  expect(client.heard.map(({ method }) => method)).not.toContain("thread/readState/changed");
});

test("states written by another process are read, malformed lines are skipped", async () => {
  await using server = await startAppServer({ model: answers });
  const client = server.connect();
  await initialize(client);
  const threadId = await startThread(client);
  await talk(client, threadId, "first");
  const list = async () => (await client.call("thread/list", {})) as { readStates: object };
  await list();

  const line = JSON.stringify({ id: threadId, firstUnread: null, revision: "theirs" });
  appendFileSync(join(server.home, "quire-read-states.jsonl"), `${line}\n{"id":\n`);

  expect((await list()).readStates).toEqual({
    [threadId]: { firstUnread: null, revision: "theirs" },
  });
});

test("only the end of a large file is read", async () => {
  await using server = await startAppServer({ model: answers });
  const client = server.connect();
  await initialize(client);
  const threadId = await startThread(client);
  const entry = (revision: string) =>
    `${JSON.stringify({ id: threadId, firstUnread: null, revision })}\n`;
  const long = entry("old") + `${"x".repeat(1023)}\n`.repeat(1024);
  const file = join(server.home, "quire-read-states.jsonl");
  const list = async () => (await client.call("thread/list", {})) as { readStates: object };
  await talk(client, threadId, "first");
  await list();

  writeFileSync(file, long);
  const passedOver = await list();
  appendFileSync(file, entry("new"));

  expect(passedOver.readStates).not.toMatchObject({ [threadId]: { revision: "old" } });
  expect((await list()).readStates).toMatchObject({ [threadId]: { revision: "new" } });
});
