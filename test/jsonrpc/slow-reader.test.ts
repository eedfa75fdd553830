import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import {
  createPeer,
  type Notification,
  type PeerOptions,
  rpcCodes,
  SharedNotification,
} from "../../src/jsonrpc/index.js";
import { type Channel, linkedChannels } from "../../src/transport/index.js";
import { readAll, reader, until } from "../transport/contract.js";
import { connectPair } from "../transport/server.js";

const mebibyte = 1024 * 1024;

test.each(["tcp://127.0.0.1:0", "ws://127.0.0.1:0", "h2://127.0.0.1:0", "grpc://127.0.0.1:0"])(
  "a client of %s that never reads costs a bounded amount of memory, then its connection",
  async (url) => {
    await using pair = await connectPair(url);
    const peer = openPeer(pair.far, { limits: { backlogBytes: 16 * mebibyte } });
    const params = { text: "x".repeat(1000) };
    const before = process.memoryUsage().rss;
    let highest = 0;

    for (let sent = 0; !peer.signal.aborted && sent < 400_000; sent++) {
      peer.notify("delta", { ...params, sent });
      highest = Math.max(highest, pair.far.backlog);
      if (sent % 1000 === 0) await sleep(0);
    }

    expect(peer.signal.aborted).toBe(true);
    expect(highest).toBeLessThan(18 * mebibyte);
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * mebibyte);
    await until(() => !pair.far.isOpen);
    peer.notify("delta", params);
    expect(pair.far.backlog).toBeLessThan(18 * mebibyte);
  },
);

test("a client that asks without reading the replies is not listened to for long", async () => {
  await using pair = await connectPair("tcp://127.0.0.1:0");
  let answered = 0;
  const peer = openPeer(pair.far, {
    limits: { backlogBytes: 8 * mebibyte },
    onRequest() {
      answered++;
      return "y".repeat(10_000);
    },
  });

  for (let id = 0; id < 200_000 && pair.near.send({ id, method: "a" }); id++) {}
  let last = -1;
  while (answered > last) {
    last = answered;
    await sleep(50);
  }

  expect(answered).toBeLessThan(5000);
  expect(peer.signal.aborted).toBe(false);
  expect(pair.far.backlog).toBeLessThan(8 * mebibyte);
  expect((await reader(pair.near)(3)).map((reply) => (reply as { id: number }).id)).toEqual([
    0, 1, 2,
  ]);
});

test("with a merge rule, queued notifications are merged without loss and in order", async () => {
  const [near, far] = linkedChannels();
  const peer = openPeer(near, { merge: joinDeltas, onRequest: () => "reply" });
  const words = Array.from({ length: 50_000 }, (_, n) => `word ${n} `);

  for (const [n, text] of words.entries()) {
    peer.notify("delta", { item: n < 40_000 ? "a" : "b", text });
    if (n === 39_999) peer.notify("done", { item: "a" });
  }
  const closed = peer.close();
  const received = (await readAll(far)) as Notification[];
  await closed;

  const textOf = (item: string) =>
    received
      .map(({ params }) => params as Delta)
      .filter((delta) => delta.item === item && delta.text);
  expect(received.length).toBeLessThan(20_000);
  expect(
    textOf("a")
      .map(({ text }) => text)
      .join(""),
  ).toBe(words.slice(0, 40_000).join(""));
  expect(
    textOf("b")
      .map(({ text }) => text)
      .join(""),
  ).toBe(words.slice(40_000).join(""));
  const done = received.findIndex(({ method }) => method === "done");
  expect(received.slice(0, done).every(({ params }) => (params as Delta).item === "a")).toBe(true);
});

test("replies keep their place among notifications that wait", async () => {
  const [near, far] = linkedChannels();
  const peer = openPeer(near, { merge: joinDeltas, onRequest: () => "reply" });
  const big = "x".repeat(600_000);

  for (const text of [big, big, "a", "b"]) peer.notify("delta", { item: "a", text });
  far.send({ id: 1, method: "ask" });
  await sleep(0);
  for (const text of ["c", "d"]) peer.notify("delta", { item: "a", text });
  const received = await reader(far)(5);

  expect(received.slice(2)).toEqual([
    { method: "delta", params: { item: "a", text: "ab" } },
    { id: 1, result: "reply" },
    { method: "delta", params: { item: "a", text: "cd" } },
  ]);
});

test("merging does not lift the limit", async () => {
  const [near] = linkedChannels();
  const peer = openPeer(near, { merge: joinDeltas, limits: { backlogBytes: 4 * mebibyte } });

  for (let n = 0; n < 100 && !peer.signal.aborted; n++) {
    peer.notify("delta", { item: "a", text: "x".repeat(100_000) });
  }

  expect(peer.signal.aborted).toBe(true);
  expect(near.isOpen).toBe(false);
});

test("[security H8] a remote client that reads may be sent messages of any size", async () => {
  await using pair = await connectPair("tcp://127.0.0.1:0");
  const peer = openPeer(pair.far, { limits: { backlogBytes: 4 * mebibyte } });
  const text = "x".repeat(6 * mebibyte);

  for (let n = 0; n < 4; n++) peer.notify("item", { n, text });
  const received = await reader(pair.near)(4);

  expect(received.map((message) => (message as { params: { n: number } }).params.n)).toEqual([
    0, 1, 2, 3,
  ]);
  expect(peer.signal.aborted).toBe(false);
});

test("[security H8] a sender is asked to wait only while much is unread", async () => {
  await using pair = await connectPair("tcp://127.0.0.1:0");
  const peer = openPeer(pair.far, { merge: joinDeltas });
  let sent = 0;

  expect(peer.room()).toBeUndefined();
  while (peer.room() === undefined) {
    peer.notify("delta", { item: "a", text: "x".repeat(100_000) });
    sent++;
    await sleep(0);
  }
  const room = peer.room();
  void readAll(pair.near);
  await room;

  expect(sent * 100_000).toBeGreaterThan(4 * mebibyte);
  expect(peer.room()).toBeUndefined();
});

test("[security H8] a remote client that reads nothing while a sender waits is disconnected, with the reason", async () => {
  await using pair = await connectPair("tcp://127.0.0.1:0");
  const peer = openPeer(pair.far, { limits: { stallMs: 50 } });

  while (peer.room() === undefined && !peer.signal.aborted) {
    peer.notify("delta", { text: "x".repeat(1_000_000) });
    await sleep(0);
  }
  await peer.room();

  expect(peer.signal.reason).toMatchObject({
    code: rpcCodes.overloaded,
    message: "The peer read too slowly: nothing was read for 0.05 s",
  });
});

test("a notification for many is serialized once, with or without the version", async () => {
  let written = 0;
  const params = {
    toJSON() {
      written++;
      return { text: "hi" };
    },
  };
  await using plain = await connectPair("tcp://127.0.0.1:0");
  await using alsoPlain = await connectPair("unix://");
  await using versioned = await connectPair("tcp://127.0.0.1:0");
  const shared = new SharedNotification({ method: "said", params }, { emittedAtMs: 5 });

  for (const { far } of [plain, alsoPlain]) openPeer(far).notifyShared(shared);
  openPeer(versioned.far, { writesVersion: true }).notifyShared(shared);

  const message = { method: "said", params: { text: "hi" }, emittedAtMs: 5 };
  expect(await reader(plain.near)(1)).toEqual([message]);
  expect(await reader(alsoPlain.near)(1)).toEqual([message]);
  expect(await reader(versioned.near)(1)).toEqual([{ jsonrpc: "2.0", ...message }]);
  expect(written).toBe(1);
});

interface Delta {
  item: string;
  text: string;
}

function joinDeltas(previous: Notification, next: Notification): Notification | undefined {
  if (previous.method !== "delta" || next.method !== "delta") return undefined;
  const [first, second] = [previous.params as Delta, next.params as Delta];
  if (first.item !== second.item) return undefined;
  return { method: "delta", params: { item: first.item, text: first.text + second.text } };
}

function openPeer(channel: Channel, options: Partial<PeerOptions> = {}) {
  return createPeer(channel, { writesVersion: false, onRequest: () => undefined, ...options });
}
