import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { hangs, says } from "../../support/model.js";
import { type FleetClient, resume, startFleet, startThread, startTurn } from "./test-fleet.js";

interface Listed {
  data: { id: string; name: string | null; preview: string; forkedFromId: string | null }[];
}

async function list(client: FleetClient, archived = false) {
  const { data } = (await client.call("thread/list", { archived })) as Listed;
  return data;
}

async function ids(client: FleetClient, archived = false) {
  return (await list(client, archived)).map(({ id }) => id);
}

/** A thread with a finished turn. */
async function finished(client: FleetClient, fleet: Parameters<typeof startThread>[1]) {
  const threadId = await startThread(client, fleet);
  await startTurn(client, threadId, "a first message");
  await client.until("turn/completed");
  return threadId;
}

test("the name of a thread is in the lists of all gateways", async () => {
  await using fleet = await startFleet({ model: [says("Done.")] });
  const [one, two] = await Promise.all(fleet.gateways.map((gateway) => gateway.connect()));
  const threadId = await finished(one as FleetClient, fleet);

  await one?.call("thread/name/set", { threadId, name: "my work" });
  await one?.until("thread/name/updated");

  await vi.waitFor(async () =>
    expect(await list(two as FleetClient)).toMatchObject([
      { id: threadId, name: "my work", preview: "a first message" },
    ]),
  );
  const read = await two?.call("thread/read", { threadId });
  expect(read).toMatchObject({ thread: { name: "my work" } });
});

test("a thread is archived and comes back, at all gateways", async () => {
  await using fleet = await startFleet({ model: [says("Done."), says("Again.")] });
  const [one, two] = (await Promise.all(fleet.gateways.map((gateway) => gateway.connect()))) as [
    FleetClient,
    FleetClient,
  ];
  const threadId = await finished(one, fleet);
  await resume(two, threadId);

  await one.call("thread/archive", { threadId });

  await two.until("thread/archived");
  expect([await ids(two), await ids(two, true)]).toEqual([[], [threadId]]);
  await expect(resume(two, threadId)).rejects.toThrow("is archived");
  await expect(startTurn(one, threadId, "more")).rejects.toThrow("is archived");
  const read = await one.call("thread/read", { threadId, includeTurns: true });
  expect(read).toMatchObject({ thread: { id: threadId, turns: [{ status: "completed" }] } });

  expect(await two.call("thread/unarchive", { threadId })).toMatchObject({
    thread: { id: threadId, preview: "a first message" },
  });

  await one.until("thread/unarchived");
  expect([await ids(one), await ids(one, true)]).toEqual([[threadId], []]);
  await resume(two, threadId);
  await startTurn(two, threadId, "more");
  await two.until("turn/completed");
  await expect(one.call("thread/unarchive", { threadId })).rejects.toThrow("no archived rollout");
});

test("a deleted thread is gone at all gateways, and nothing is stored of it", async () => {
  await using fleet = await startFleet({ model: [says("Done.")] });
  const [one, two] = (await Promise.all(fleet.gateways.map((gateway) => gateway.connect()))) as [
    FleetClient,
    FleetClient,
  ];
  const threadId = await finished(one, fleet);
  await resume(two, threadId);

  await one.call("thread/delete", { threadId });

  await two.until("thread/deleted");
  expect([await ids(one), await ids(two)]).toEqual([[], []]);
  await expect(two.call("thread/read", { threadId })).rejects.toThrow();
  await expect(startTurn(two, threadId, "more")).rejects.toThrow();
  const broker = fleet.store.connect();
  await vi.waitFor(async () => {
    expect(await broker.marks.list()).toEqual([]);
    expect(await broker.directory.list()).toEqual([]);
  });
  expect([await broker.log.head(threadId), await broker.submissions.head(threadId)]).toEqual([
    0, 0,
  ]);
  expect(await broker.leases.list()).toEqual([]);
  expect(existsSync(join(fleet.workspace, ".quire-fleet", `${threadId}.lock`))).toBe(false);
  await expect(one.call("thread/delete", { threadId })).rejects.toThrow("no rollout found");
});

test("a thread is not deleted while its turn runs", async () => {
  await using fleet = await startFleet({ model: [hangs()] });
  const client = await fleet.gateways[0].connect();
  const threadId = await startThread(client, fleet);
  await startTurn(client, threadId, "wait");
  await client.until("turn/started");

  await expect(client.call("thread/delete", { threadId })).rejects.toThrow("a turn runs in it");
});

test("threads are deleted by age, those in use stay", async () => {
  await using fleet = await startFleet({
    model: [says("Done."), hangs()],
    retention: { idleMs: 2_000 },
  });
  const client = await fleet.gateways[0].connect();
  const old = await finished(client, fleet);
  const used = await startThread(client, fleet);
  await startTurn(client, used, "wait");
  await client.until("turn/started");

  const broker = fleet.store.connect();
  await vi.waitFor(async () => expect(await broker.log.head(old)).toBe(0), 15_000);

  expect(await ids(client)).toEqual([used]);
});

test("a fork continues with the history of its thread, at any worker", async () => {
  await using fleet = await startFleet({ model: [says("One."), says("Two."), says("Three.")] });
  const [one, two] = (await Promise.all(fleet.gateways.map((gateway) => gateway.connect()))) as [
    FleetClient,
    FleetClient,
  ];
  const threadId = await finished(one, fleet);

  const forked = (await one.call("thread/fork", { threadId })) as {
    thread: { id: string; turns: unknown[] };
  };
  const fork = forked.thread.id;
  expect(forked.thread).toMatchObject({ forkedFromId: threadId, turns: [{ status: "completed" }] });
  await startTurn(one, fork, "a second message");
  await one.until("turn/completed");
  await fleet.killWorker();
  await fleet.addWorker();
  await resume(two, fork);
  await startTurn(two, fork, "a third message");
  await two.until("turn/completed");

  const read = (await two.call("thread/read", { threadId: fork, includeTurns: true })) as {
    thread: { turns: { items: { type: string; text?: string }[] }[] };
  };
  const answers = read.thread.turns.flatMap(({ items }) =>
    items.flatMap(({ type, text }) => (type === "agentMessage" ? [text] : [])),
  );
  expect(answers).toEqual(["One.", "Two.", "Three."]);
  expect(new Set(await ids(two))).toEqual(new Set([threadId, fork]));
  await expect(one.call("thread/fork", { threadId, ephemeral: true })).rejects.toThrow(
    "always stored",
  );
});
