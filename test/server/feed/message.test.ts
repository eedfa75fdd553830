import { expect, test } from "vitest";
import { SharedNotification } from "../../../src/jsonrpc/index.js";
import { FeedMessage, isDelta, RecentMessages } from "../../../src/server/feed/message.js";

function message(seq: number, text = "hi"): FeedMessage {
  const plain = new SharedNotification({ method: "warning", params: { message: text } });
  const created = new FeedMessage(seq, plain, false);
  created.compact();
  return created;
}

test("the size of a message grows with its text", () => {
  expect(message(1, "x".repeat(1000)).bytes - message(1, "").bytes).toBeGreaterThanOrEqual(1000);
});

test("the size of a delta is known before it is serialized", () => {
  const plain = new SharedNotification({ method: "item/plan/delta", params: { delta: "abc" } });

  expect(new FeedMessage(1, plain, false, 3).bytes).toBeGreaterThan(3);
});

test("a numbered message is created once and has the sequence number", () => {
  const one = message(7);

  expect(one.numbered).toBe(one.numbered);
  expect(JSON.parse(one.numbered.toText(false))).toMatchObject({ method: "warning", seq: 7 });
  expect(JSON.parse(one.plain.toText(false))).not.toHaveProperty("seq");
});

test("the messages after a number are returned", () => {
  const recent = new RecentMessages(100_000);
  for (const seq of [1, 2, 3]) recent.add(message(seq));

  expect(recent.after(1)?.map(({ seq }) => seq)).toEqual([2, 3]);
  expect(recent.after(3)).toEqual([]);
});

test("above the limit the oldest messages are dropped, and reading them reports a gap", () => {
  const recent = new RecentMessages(message(1).bytes * 2);
  for (const seq of [1, 2, 3, 4]) recent.add(message(seq));

  expect(recent.lost).toBe(2);
  expect(recent.after(1)).toBeUndefined();
  expect(recent.after(2)?.map(({ seq }) => seq)).toEqual([3, 4]);
});

test("a message above the limit is kept until the next one", () => {
  const recent = new RecentMessages(10);

  recent.add(message(1, "x".repeat(1000)));
  const kept = recent.after(0);
  recent.add(message(2));

  expect(kept?.length).toBe(1);
  expect(recent.after(1)?.map(({ seq }) => seq)).toEqual([2]);
});

test("the order survives many dropped messages", () => {
  const recent = new RecentMessages(message(1).bytes * 3);
  for (let seq = 1; seq <= 1000; seq++) recent.add(message(seq));

  expect(recent.after(recent.lost)?.map(({ seq }) => seq)).toEqual([998, 999, 1000]);
});

test("params with a `delta` are a text delta", () => {
  expect([isDelta({ delta: "a" }), isDelta({ diff: "a" })]).toEqual([true, false]);
});
