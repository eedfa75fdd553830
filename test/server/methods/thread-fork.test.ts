import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { type Opened, talk, texts } from "./support.js";
import { begin, say, startAppServer } from "./thread.js";

const answers = ["One.", "Two.", "Three.", "Four."].map((message) => [{ message }]);

test("a fork continues from the whole thread or from a turn, independently", async () => {
  await using server = await startAppServer({ model: answers });
  const client = server.connect();
  const threadId = await begin(client);
  const first = await talk(client, threadId, "first");
  const second = await talk(client, threadId, "second");

  const whole = (await client.call("thread/fork", { threadId })) as Opened;
  const started = await client.until("thread/started");
  const through = (await client.call("thread/fork", { threadId, lastTurnId: first })) as Opened;
  const before = (await client.call("thread/fork", { threadId, beforeTurnId: second })) as Opened;
  await talk(client, through.thread.id, "third");
  const read = async (id: string) =>
    texts(
      ((await client.call("thread/read", { threadId: id, includeTurns: true })) as Opened).thread
        .turns,
    );

  const all = [
    ["first", "One."],
    ["second", "Two."],
  ];
  expect(texts(whole.thread.turns)).toEqual(all);
  expect(whole.thread).toMatchObject({ forkedFromId: threadId, preview: "first" });
  expect(started.params).toEqual({ thread: whole.thread });
  expect(texts(through.thread.turns)).toEqual([["first", "One."]]);
  expect(texts(before.thread.turns)).toEqual([["first", "One."]]);
  expect(await read(through.thread.id)).toEqual([
    ["first", "One."],
    ["third", "Three."],
  ]);
  expect(await read(threadId)).toEqual(all);
  expect(new Set([threadId, whole.thread.id, through.thread.id, before.thread.id]).size).toBe(4);
});

test("a fork names the model provider that its source is too old to name", async () => {
  await using server = await startAppServer({ model: answers });
  const client = server.connect();
  const threadId = await begin(client);
  await talk(client, threadId, "first");
  const { thread } = (await client.call("thread/read", { threadId })) as Opened;
  const [line = "", ...lines] = readFileSync(thread.path ?? "", "utf8").split("\n");
  const begun = JSON.parse(line);
  const provider = begun.payload.model_provider;
  delete begun.payload.model_provider;
  writeFileSync(thread.path ?? "", [JSON.stringify(begun), ...lines].join("\n"));

  const fork = (await client.call("thread/fork", { threadId })) as Opened;

  const [first = ""] = readFileSync(fork.thread.path ?? "", "utf8").split("\n");
  expect(provider).toBeTruthy();
  expect(JSON.parse(first).payload.model_provider).toBe(provider);
});

test("an ephemeral fork leaves its source unchanged and no file", async () => {
  await using server = await startAppServer({ model: answers });
  const client = server.connect();
  const threadId = await begin(client);
  await talk(client, threadId, "first");
  const drafts = () => readdirSync(tmpdir()).filter((name) => name.startsWith("quire-fork-"));
  const before = drafts();

  const { thread } = (await client.call("thread/fork", { threadId, ephemeral: true })) as Opened;
  await talk(client, thread.id, "aside");
  await talk(client, threadId, "second");

  expect(thread).toMatchObject({ ephemeral: true, path: null, forkedFromId: threadId, turns: [] });
  expect(drafts().filter((name) => !before.includes(name))).toEqual([]);
  expect(await client.call("thread/loaded/list", {})).toMatchObject({
    data: [threadId, thread.id],
  });
});

test("a fork of a running thread has its history so far", async () => {
  await using server = await startAppServer({ model: [[{ message: "…" }, { hang: true }]] });
  const client = server.connect();
  const threadId = await begin(client);
  await say(client, threadId, "first");
  for (let item = 0; item < 2; item++) await client.until("item/completed");

  const { thread } = (await client.call("thread/fork", { threadId })) as Opened;

  expect(thread.turns).toMatchObject([{ status: "interrupted" }]);
  expect(texts(thread.turns)).toEqual([["first", "…"]]);
});

test("a fork at an unknown turn is rejected", async () => {
  await using server = await startAppServer({ model: answers });
  const client = server.connect();
  const threadId = await begin(client);
  await talk(client, threadId, "first");
  const fork = (params: object) =>
    client.call("thread/fork", { threadId, ...params }).catch((error) => error.message);

  expect([
    await fork({ lastTurnId: "gone" }),
    await fork({ lastTurnId: "a", beforeTurnId: "b" }),
    await fork({ path: "/nowhere" }),
  ]).toEqual([
    "turn not found: gone",
    "`lastTurnId` and `beforeTurnId` exclude each other: give one of them.",
    "failed to resolve rollout path `/nowhere`: file does not exist",
  ]);
});
