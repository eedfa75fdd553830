import { expect, test } from "vitest";
import { EventQueue } from "../../src/client/event-queue.js";
import { Pace } from "../../src/client/pace.js";
import type { ItemDeltaEvent } from "../../src/client/thread-events/index.js";

const delta = (text: string, item_id = "item_0"): ItemDeltaEvent => ({
  type: "item.delta",
  item_id,
  item_type: "agent_message",
  delta: text,
});

test("a connection waits for the consumer of its only turn", async () => {
  const pace = new Pace();
  const queue = new EventQueue();
  pace.add(() => queue.room());
  expect(pace.room()).toBeUndefined();
  for (let at = 0; at < 25_000; at++) queue.push(delta(`${at}`, `item_${at}`));

  const waiting = pace.room();
  const reader = queue[Symbol.asyncIterator]();
  for (let at = 0; at < 13_000; at++) await reader.next();

  expect(waiting).toBeInstanceOf(Promise);
  await waiting;
  expect(pace.room()).toBeUndefined();
});

test("it does not wait while a request is pending or another turn runs", async () => {
  const pace = new Pace();
  const never = () => new Promise<void>(() => undefined);
  pace.add(never);
  const stopped = pace.room();
  let reply = () => {};
  const request = new Promise<void>((resolve) => (reply = resolve));
  pace.count(request);

  await stopped;
  expect(pace.room()).toBeUndefined();
  reply();
  await request;
  const again = pace.room();
  const remove = pace.add(() => undefined);
  await again;
  expect(pace.room()).toBeUndefined();
  remove();
  expect(pace.room()).toBeInstanceOf(Promise);
  pace.release();
});

test("deltas of one item are joined if the consumer is far behind", async () => {
  const queue = new EventQueue();
  for (let at = 0; at < 50_000; at++) queue.push(delta(`${at} `));
  queue.push(delta("other", "item_1"));
  queue.close();

  const read = [];
  for await (const event of queue) if (event.type === "item.delta") read.push(event);

  expect(read.length).toBeLessThan(33_000);
  expect(read.map(({ delta }) => delta).join("")).toBe(
    `${Array.from({ length: 50_000 }, (_, at) => `${at} `).join("")}other`,
  );
});
