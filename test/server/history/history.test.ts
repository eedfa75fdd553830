import { expect, test } from "vitest";
import type { ThreadItemEntry } from "../../../src/protocol/rpc/v2/thread-history.js";
import type { Turn } from "../../../src/protocol/rpc/v2/turn.js";
import { calls, fails, says } from "../../support/model.js";
import type { TestClient } from "../../support/server.js";
import { type Opened, type Page, talk, textOf, texts } from "../methods/support.js";
import { begin, say, startAppServer } from "../methods/thread.js";

const words = ["one", "two", "three", "four", "five"];

async function fiveTurns(client: TestClient): Promise<string> {
  const threadId = await begin(client);
  for (const word of words) await talk(client, threadId, word);
  return threadId;
}

const fiveAnswers = words.map((word) => [{ message: word.toUpperCase() }]);

test("turns are listed in pages in both directions, with cursors back", async () => {
  await using server = await startAppServer({ model: fiveAnswers });
  const client = server.connect();
  const threadId = await fiveTurns(client);
  const list = async (params: object) =>
    (await client.call("thread/turns/list", { threadId, ...params })) as Page<Turn>;

  const newest = await list({ limit: 2 });
  const older = await list({ limit: 2, cursor: newest.nextCursor });
  const oldest = await list({ limit: 2, cursor: older.nextCursor });
  const forwards = await list({ cursor: older.backwardsCursor, sortDirection: "asc" });
  const bare = await list({ limit: 1, itemsView: "notLoaded" });

  expect([newest, older, oldest].map(({ data }) => texts(data))).toEqual([
    [
      ["five", "FIVE"],
      ["four", "FOUR"],
    ],
    [
      ["three", "THREE"],
      ["two", "TWO"],
    ],
    [["one", "ONE"]],
  ]);
  expect(oldest.nextCursor).toBe(null);
  expect(forwards.data.map(({ items }) => items.map(textOf)[0])).toEqual(["three", "four", "five"]);
  expect(bare.data).toMatchObject([{ items: [], itemsView: "notLoaded", status: "completed" }]);
});

test("the history has the last plan of a turn, and the error of a failed one", async () => {
  const plan = (status: string) =>
    calls("update_plan", { explanation: "why", plan: [{ step: "Look", status }] });
  await using server = await startAppServer({
    model: [plan("in_progress"), plan("completed"), says("Done."), fails(400)],
  });
  const client = server.connect();
  const threadId = await begin(client);
  await talk(client, threadId, "plan");
  await talk(client, threadId, "fail");

  const { data } = (await client.call("thread/turns/list", { threadId })) as Page<Turn>;

  expect(data.map(({ status, plan, error }) => ({ status, plan, error: error?.message }))).toEqual([
    { status: "failed", plan: undefined, error: expect.stringContaining("mock error") },
    {
      status: "completed",
      plan: { explanation: "why", plan: [{ step: "Look", status: "completed" }] },
      error: undefined,
    },
  ]);
});

test("items are listed in pages, of all turns, of one turn, and after an item", async () => {
  await using server = await startAppServer({ model: fiveAnswers });
  const client = server.connect();
  const threadId = await fiveTurns(client);
  const list = async (params: object) =>
    (await client.call("thread/items/list", { threadId, ...params })) as Page<ThreadItemEntry>;
  const said = ({ data }: Page<ThreadItemEntry>) => data.map(({ item }) => textOf(item));

  const first = await list({ limit: 3 });
  const second = await list({ limit: 3, cursor: first.nextCursor });
  const last = await list({ limit: 3, sortDirection: "desc" });
  const [, third] = second.data;
  const turnId = third?.turnId;
  const behind = await list({ turnId, cursor: { type: "item", itemId: third?.item.id } });

  expect([first, second, last, behind].map(said)).toEqual([
    ["one", "ONE", "two"],
    ["TWO", "three", "THREE"],
    ["FIVE", "five", "FOUR"],
    ["THREE"],
  ]);
});

test("the cursors of a resumed thread start at its last turn and item", async () => {
  await using server = await startAppServer({ model: fiveAnswers });
  const client = server.connect();
  const threadId = await fiveTurns(client);

  const opened = (await client.call("thread/resume", {
    threadId,
    excludeTurns: true,
    initialTurnsPage: { limit: 1, sortDirection: "desc" },
  })) as Opened;
  const list = (method: string, cursor: string | null) =>
    client.call(method, { threadId, cursor, sortDirection: "desc", limit: 1 });
  const turns = (await list("thread/turns/list", opened.turnsBackwardsCursor)) as Page<Turn>;
  const items = (await list(
    "thread/items/list",
    opened.itemsBackwardsCursor,
  )) as Page<ThreadItemEntry>;

  expect(texts(opened.initialTurnsPage?.data ?? [])).toEqual([["five", "FIVE"]]);
  expect(texts(turns.data)).toEqual([["five", "FIVE"]]);
  expect(items.data.map(({ item }) => textOf(item))).toEqual(["FIVE"]);
});

test("a turn is read with the same items and ids that were reported live", async () => {
  await using server = await startAppServer({
    model: [
      [{ reasoning: ["Hm."] }, { call: "shell", args: { command: ["echo", "hi"] }, call_id: "c1" }],
      [{ message: "Done." }],
    ],
  });
  const client = server.connect();
  const threadId = await begin(client);
  await talk(client, threadId, "go");
  const told = client.heard
    .filter(({ method }) => method === "item/completed")
    .map(({ params }) => (params as { item: { id: string; type: string } }).item);

  const { thread } = (await client.call("thread/read", { threadId, includeTurns: true })) as Opened;

  const shown = thread.turns.flatMap(({ items }) => items);
  expect(shown.map(({ id, type }) => ({ id, type }))).toEqual(
    told.map(({ id, type }) => ({ id, type })),
  );
  expect(shown[2]).toMatchObject({
    type: "commandExecution",
    command: "echo hi",
    aggregatedOutput: "hi\n",
    exitCode: 0,
    status: "completed",
  });
});

test("a running turn is in progress, and an interrupted one interrupted", async () => {
  await using server = await startAppServer({
    model: [[{ message: "…" }, { hang: true }], [{ message: "Two." }]],
  });
  const client = server.connect();
  const threadId = await begin(client);
  const turnId = await say(client, threadId, "go");
  await client.until("item/agentMessage/delta");
  const list = async () =>
    ((await client.call("thread/turns/list", { threadId })) as Page<Turn>).data;

  const running = await list();
  await client.call("turn/interrupt", { threadId, turnId });
  const interrupted = await list();

  expect(running).toMatchObject([{ id: turnId, status: "inProgress", completedAt: null }]);
  expect(interrupted).toMatchObject([{ id: turnId, status: "interrupted" }]);
});

test("turns are rolled back by count, or from a turn on", async () => {
  await using server = await startAppServer({ model: fiveAnswers });
  const client = server.connect();
  const threadId = await begin(client);
  await talk(client, threadId, "one");
  await talk(client, threadId, "two");
  const third = await talk(client, threadId, "three");
  await talk(client, threadId, "four");

  const left = (await client.call("thread/rollback", { threadId, numTurns: 1 })) as Opened;
  await client.call("thread/revert", { threadId, beforeTurnId: third });
  await client.until("thread/reverted");
  await talk(client, threadId, "five");
  const { thread } = (await client.call("thread/read", { threadId, includeTurns: true })) as Opened;
  const unknown = client.call("thread/revert", { threadId, beforeTurnId: third });

  expect(texts(left.thread.turns)).toEqual([
    ["one", "ONE"],
    ["two", "TWO"],
    ["three", "THREE"],
  ]);
  expect(texts(thread.turns)).toEqual([
    ["one", "ONE"],
    ["two", "TWO"],
    ["five", "FIVE"],
  ]);
  await expect(unknown).rejects.toThrow(`turn not found: ${third}`);
});

test("invalid cursors and unknown threads are rejected", async () => {
  await using server = await startAppServer({ model: fiveAnswers });
  const client = server.connect();
  const threadId = await begin(client);
  await talk(client, threadId, "one");
  const unknown = "67e55044-10b1-426f-9247-bb680e5fe0c8";
  const ask = (method: string, params: object) =>
    client.call(method, { threadId, ...params }).catch((error) => error.message);

  expect([
    await ask("thread/turns/list", { cursor: "junk" }),
    await ask("thread/turns/list", { cursor: '{"turnId":"gone","includes":true}' }),
    await ask("thread/items/list", { cursor: '{"turnId":"gone"}' }),
    await ask("thread/items/list", { turnId: "gone" }),
    await ask("thread/turns/list", { threadId: unknown }),
    await ask("thread/read", { threadId: unknown }),
  ]).toEqual([
    "invalid cursor: junk",
    'invalid cursor: {"turnId":"gone","includes":true}',
    'invalid cursor: {"turnId":"gone"}',
    "turn not found: gone",
    `thread not loaded: ${unknown}`,
    `thread not loaded: ${unknown}`,
  ]);
});

test("a compaction and a review are read as turns", async () => {
  const verdict = { findings: [], overall_explanation: "All is well." };
  await using server = await startAppServer({
    model: [
      [{ message: "One." }],
      [{ message: "In short." }],
      [{ message: JSON.stringify(verdict) }],
      [{ message: "Two." }],
    ],
  });
  const client = server.connect();
  const threadId = await begin(client);
  await talk(client, threadId, "first");
  await client.call("thread/compact/start", { threadId });
  await client.until("turn/completed");
  await client.call("review/start", { threadId, target: { type: "uncommittedChanges" } });
  await client.until("turn/completed");
  await talk(client, threadId, "second");

  const read = (await client.call("thread/read", { threadId, includeTurns: true })) as Opened;
  const resumed = (await client.call("thread/resume", { threadId })) as Opened;
  const listed = (await client.call("thread/turns/list", {
    threadId,
    itemsView: "full",
    sortDirection: "asc",
  })) as Page<Turn>;

  expect(texts(read.thread.turns)).toEqual([
    ["first", "One."],
    ["contextCompaction"],
    ["enteredReviewMode", "exitedReviewMode", "All is well."],
    ["second", "Two."],
  ]);
  const ids = (turns: readonly Turn[]) =>
    turns.map(({ id, items }) => [id, ...items.map((item) => `${id} ${item.id}`)]);
  expect(ids(read.thread.turns).flat()).toEqual(liveIds(client));
  expect(ids(resumed.thread.turns)).toEqual(ids(read.thread.turns));
  expect(ids(listed.data)).toEqual(ids(read.thread.turns));
});

/** Returns the turns that a client was notified of, each followed by its items. */
function liveIds({ heard }: TestClient): string[] {
  const turns = new Map<string, string[]>();
  for (const { method, params } of heard) {
    if (method !== "item/completed") continue;
    const { turnId, item } = params as { turnId: string; item: { id: string } };
    turns.set(turnId, [...(turns.get(turnId) ?? [turnId]), `${turnId} ${item.id}`]);
  }
  return [...turns.values()].flat();
}
