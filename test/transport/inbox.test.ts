import { setImmediate as nextTurn } from "node:timers/promises";
import fc from "fast-check";
import { expect, test } from "vitest";
import { Inbox, weigh } from "../../src/transport/inbox.js";

function createInbox(limit: number) {
  const calls: string[] = [];
  const source = { pause: () => calls.push("pause"), resume: () => calls.push("resume") };
  const inbox = new Inbox(source, limit);
  const reader = inbox[Symbol.asyncIterator]();
  return { inbox, calls, read: async () => (await reader.next()).value };
}

test("messages are read in order, those that came before the end included", async () => {
  const { inbox } = createInbox(1000);
  const values = [1, "two", null];
  for (const value of values) inbox.push(value, 1);
  inbox.end();
  inbox.push("late", 1);

  const read: unknown[] = [];
  for await (const value of inbox) read.push(value);
  expect(read).toEqual(values);
});

test("a reader that waits gets the next message at once, without buffering", async () => {
  const { inbox, read } = createInbox(1000);
  const next = read();
  inbox.push("a", 500);

  expect(inbox.bytes).toBe(0);
  expect(await next).toBe("a");
});

test("the source is paused at the limit and resumed at half of it", async () => {
  const { inbox, calls, read } = createInbox(1000);
  for (const value of [1, 2, 3]) inbox.push(value, 300);
  expect(calls).toEqual(["pause"]);

  await read();
  expect(calls).toEqual(["pause"]);
  await read();
  expect(calls).toEqual(["pause", "resume"]);
});

test("many tiny messages count by their overhead", () => {
  const { inbox, calls } = createInbox(1000);
  for (let count = 0; count < 16; count++) inbox.push(0, 1);

  expect(calls).toEqual(["pause"]);
});

test.each(["end", "discard"] as const)(
  "%s resumes the source and releases senders",
  async (how) => {
    const { inbox, calls } = createInbox(100);
    inbox.push("a", 200);
    const room = inbox.whenRoom();

    inbox[how]();

    await room;
    expect(calls).toEqual(["pause", "resume"]);
    expect(inbox.isEnded).toBe(true);
  },
);

test("discarded messages are not read", async () => {
  const { inbox, read } = createInbox(1000);
  inbox.push("a", 1);
  inbox.discard();

  expect(await read()).toBeUndefined();
  expect(inbox.bytes).toBe(0);
});

test("a sender waits for room only while the inbox is full", async () => {
  const { inbox, read } = createInbox(1000);
  await inbox.whenRoom();
  inbox.push("a", 1000);
  let hasRoom = false;
  const room = inbox.whenRoom().then(() => {
    hasRoom = true;
  });
  await nextTurn();
  expect(hasRoom).toBe(false);

  await read();
  await room;
});

test("a reader that never catches up gets every message", async () => {
  const { inbox, read } = createInbox(Number.POSITIVE_INFINITY);
  let pushed = 0;
  const seen: unknown[] = [];
  for (let round = 0; round < 5000; round++) {
    inbox.push(pushed++, 1);
    inbox.push(pushed++, 1);
    seen.push(await read());
  }

  expect(seen).toEqual(Array.from({ length: 5000 }, (_, index) => index));
});

test("the estimated size is near that of the JSON text", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 3 }), (value) => {
      const exact = JSON.stringify(value).length;
      const estimate = weigh(value);

      expect(estimate).toBeGreaterThan(exact / 8 - 16);
      expect(estimate).toBeLessThan(exact * 10 + 16);
    }),
  );
});

test("a long list of large texts is noticed without looking at each", () => {
  const list = Array(100_000).fill("x".repeat(100));

  expect(weigh(list)).toBeGreaterThan(5_000_000);
  expect(weigh({ a: { b: "x".repeat(3_000_000) } })).toBeGreaterThan(3_000_000);
});
