import { expect, test } from "vitest";
import { Sender } from "../../../src/fleet/gateway/index.js";
import { MemoryStore } from "../../../src/fleet/memory/index.js";
import { says } from "../../support/model.js";
import { startFleet, startThread, startTurn } from "./test-fleet.js";

const turn = { id: "m1", op: { type: "user_turn" as const, items: [] } };
const batch = (applied: number[]) => ({ epoch: 1, worker: "w1", applied, entries: [] });

/** Creates the sender of a thread that no worker has. */
function createSender() {
  const broker = new MemoryStore().connect();
  const { signal } = new AbortController();
  const options = { broker, threadId: "t1", pool: "main", gateway: "g1", now: Date.now, signal };
  return { sender: new Sender(options), pending: () => broker.wakes.pending("main") };
}

test("the pool is woken for a thread whose log does not grow", async () => {
  const { sender, pending } = createSender();

  await sender.put(turn);
  await sender.settled();

  expect(await pending()).toBe(1);
});

test("the pool is not woken if the log shows that a worker has read the message", async () => {
  const { sender, pending } = createSender();
  sender.onBatch(batch([]));

  const { position } = await sender.put(turn);
  sender.onBatch(batch([position]));
  await sender.settled();

  expect(await pending()).toBe(0);
});

test("the pool is woken if the log has grown, but no worker reads the message", async () => {
  const { sender, pending } = createSender();
  sender.onBatch(batch([]));

  await sender.put(turn);
  await sender.settled();

  expect(await pending()).toBe(1);
});

test("a message to a thread that was unloaded a moment ago is worked on", async () => {
  await using fleet = await startFleet({ model: [says("One."), says("Two.")] });
  const client = await fleet.gateways[0].connect();
  const threadId = await startThread(client, fleet);
  await startTurn(client, threadId, "one");
  await client.until("turn/completed");
  const { broker } = fleet.gateways[0];
  while ((await broker.leases.read(threadId)) !== undefined) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }

  await startTurn(client, threadId, "two");

  const { params } = await client.until("turn/completed");
  expect(params).toMatchObject({ turn: { status: "completed" } });
});
