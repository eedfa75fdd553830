import { setImmediate as nextTick } from "node:timers/promises";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  createPeer,
  type PeerOptions,
  RpcError,
  type RpcRequest,
} from "../../src/jsonrpc/index.js";
import { createDeferred } from "../../src/lib/async.js";
import { CodexError } from "../../src/protocol/error.js";
import { linkedChannels, Malformed } from "../../src/transport/index.js";
import { reader } from "../transport/contract.js";

describe("requests of the other side", () => {
  test("a result is answered under the id of the request, be it a number or a string", async () => {
    const { say, read } = open({ onRequest: ({ method, params }) => ({ method, params }) });

    say({ id: 7, method: "add", params: { a: 1 } }, { id: "seven", method: "none" });

    expect(await read(2)).toEqual([
      { id: 7, result: { method: "add", params: { a: 1 } } },
      { id: "seven", result: { method: "none", params: undefined } },
    ]);
  });

  test("the version is written where the surface has it, and never asked for", async () => {
    const { say, read, peer } = open({ writesVersion: true, onRequest: () => undefined });

    say({ id: 1, method: "a" }, { jsonrpc: "1.0", id: 2, method: "a" });
    peer.notify("told", { x: 1 });
    void peer.request("asked").catch(() => {});

    expect(await read(4)).toEqual([
      { jsonrpc: "2.0", method: "told", params: { x: 1 } },
      { jsonrpc: "2.0", id: 0, method: "asked" },
      { jsonrpc: "2.0", id: 1, result: null },
      { jsonrpc: "2.0", id: 2, result: null },
    ]);
  });

  test.each([
    [{ jsonrpc: "2.0", id: 1, method: "a" }, { jsonrpc: "2.0" }],
    [{ id: 1, method: "a" }, {}],
  ])(
    "[documents 3] the version is mirrored: after %j all messages have %j",
    async (first, version) => {
      const { say, read, peer } = open({ writesVersion: "mirror", onRequest: () => undefined });

      say(new Malformed("It is not JSON"), first, { jsonrpc: "2.0", id: 2, method: "b" });
      const replies = await read(3);
      peer.notify("told", { x: 1 });
      void peer.request("asked").catch(() => {});

      expect(replies).toEqual([
        { id: null, error: { code: -32700, message: "Parse error: It is not JSON" } },
        { ...version, id: 1, result: null },
        { ...version, id: 2, result: null },
      ]);
      expect(await read(2)).toEqual([
        { ...version, method: "told", params: { x: 1 } },
        { ...version, id: 0, method: "asked" },
      ]);
    },
  );

  test("replies are sent when they are ready, in any order", async () => {
    const slow = createDeferred<unknown>();
    const { say, read } = open({
      onRequest: ({ method }) => (method === "slow" ? slow.promise : "quick"),
    });

    say({ id: 1, method: "slow" }, { id: 2, method: "quick" });
    expect(await read(1)).toEqual([{ id: 2, result: "quick" }]);
    slow.resolve("slow");

    expect(await read(1)).toEqual([{ id: 1, result: "slow" }]);
  });

  test("a thrown error becomes a JSON-RPC error with the matching code", async () => {
    const errors: Record<string, unknown> = {
      rpc: new RpcError(-32099, "of the surface", { why: "because" }),
      clients: new CodexError("thread_not_found", "No thread 7"),
      ours: new CodexError("io", "The disk is full"),
      bug: new TypeError("x is not a function"),
    };
    const { say, read } = open({
      onRequest({ method }) {
        throw errors[method];
      },
    });

    say(...Object.keys(errors).map((method) => ({ id: method, method })));

    expect(await read(4)).toEqual([
      { id: "rpc", error: { code: -32099, message: "of the surface", data: { why: "because" } } },
      { id: "clients", error: { code: -32600, message: "No thread 7" } },
      { id: "ours", error: { code: -32603, message: "The disk is full" } },
      { id: "bug", error: { code: -32603, message: "x is not a function" } },
    ]);
  });

  test("a surface may define its own errors", async () => {
    const { say, read } = open({
      onRequest: async () => {
        throw new Error("secret");
      },
      toError: () => new RpcError(-32600, "Invalid request"),
    });

    say({ id: 1, method: "a" });

    expect(await read(1)).toEqual([{ id: 1, error: { code: -32600, message: "Invalid request" } }]);
  });

  test("messages sent by afterReply follow the reply", async () => {
    const { say, read, peer } = open({
      async onRequest(request) {
        request.afterReply(() => peer.notify("started"));
        return {};
      },
    });

    say({ id: 1, method: "start" });

    expect(await read(2)).toEqual([{ id: 1, result: {} }, { method: "started" }]);
  });

  test("requests beyond the limit are rejected as overloaded", async () => {
    const waiting: (() => void)[] = [];
    const { say, read } = open({
      limits: { inFlight: 3 },
      onRequest: ({ id }) => new Promise((resolve) => waiting.push(() => resolve(id))),
    });

    say(...[1, 2, 3, 4, 5].map((id) => ({ id, method: "wait" })));
    const overload = { code: -32001, message: "Server overloaded; retry later." };
    expect(await read(2)).toEqual([
      { id: 4, error: overload },
      { id: 5, error: overload },
    ]);
    for (const answer of waiting.splice(0)) answer();
    expect(await read(3)).toEqual([1, 2, 3].map((id) => ({ id, result: id })));
    say({ id: 6, method: "wait" });
    await nextTick();
    for (const answer of waiting.splice(0)) answer();

    expect(await read(1)).toEqual([{ id: 6, result: 6 }]);
  });

  test("large params count as many requests", async () => {
    const { say, read } = open({
      limits: { inFlightBytes: 1024 * 1024 },
      onRequest: () => new Promise(() => {}),
    });
    const params = { text: "x".repeat(2 * 1024 * 1024) };

    say({ id: 1, method: "wait", params }, { id: 2, method: "wait", params });

    expect(await read(1)).toMatchObject([{ id: 2, error: { code: -32001 } }]);
  });

  test("a result that is no JSON is answered by an error", async () => {
    const [near, far] = linkedChannels();
    const read = reader(far);
    const textOnly = {
      ...near,
      takesValues: false,
      send: (message: unknown) => near.sendText(JSON.stringify(message)),
    };
    createPeer(textOnly, { writesVersion: false, onRequest: () => ({ big: 10n }) });

    far.send({ id: 1, method: "a" });

    expect(await read(1)).toMatchObject([
      { id: 1, error: { code: -32603, message: expect.stringContaining("BigInt") } },
    ]);
  });

  test("only the cancelled request is aborted", async () => {
    const requests: RpcRequest[] = [];
    const { say, read, peer } = open({
      onRequest(request) {
        requests.push(request);
        return new Promise((_, reject) => {
          request.signal.addEventListener("abort", () => reject(request.signal.reason));
        });
      },
    });

    say({ id: 1, method: "a" }, { id: 2, method: "a" });
    await nextTick();
    peer.cancel(2, new RpcError(-32800, "Cancelled"));

    expect(await read(1)).toEqual([{ id: 2, error: { code: -32800, message: "Cancelled" } }]);
    expect(requests.map(({ signal }) => signal.aborted)).toEqual([false, true]);
  });
});

describe("requests of our own", () => {
  test("the same ids in both directions do not mix", async () => {
    const [near, far] = linkedChannels();
    const onRequest = ({ method, params }: RpcRequest) => ({ method, params });
    const left = createPeer(near, { writesVersion: false, onRequest });
    const right = createPeer(far, { writesVersion: true, onRequest });

    const replies = await Promise.all([
      left.request("l0", [0]),
      right.request("r0", [1]),
      left.request("l1"),
      right.request("r1"),
    ]);

    expect(replies.map((reply) => (reply as { method: string }).method)).toEqual([
      "l0",
      "r0",
      "l1",
      "r1",
    ]);
  });

  test("an error of the other side is thrown, also when it has no form", async () => {
    const { say, read, peer } = open();
    const calls = ["a", "b", "c"].map((method) => peer.request(method));
    const settled = Promise.allSettled(calls);
    await read(3);

    say(
      { id: 0, error: { code: 5, message: "no", data: [1] } },
      { id: 1, error: "no" },
      { id: 2, error: {} },
    );

    expect(await settled).toMatchObject([
      { reason: { code: 5, message: "no", data: [1] } },
      { reason: { code: -32603 } },
      { reason: { code: -32603 } },
    ]);
  });

  test("any value is a result, and replies to nothing are ignored", async () => {
    const { say, read, peer } = open({ onRequest: () => "still here" });
    const answer = peer.request("approve");
    await read(1);

    say({ id: 99, result: 1 }, { id: "0", result: 2 }, { id: 0, result: "accept" });
    say({ id: 0, result: "again" }, { id: 0, error: { code: 1, message: "x" } });
    say({ id: 1, method: "ping" });

    expect(await answer).toBe("accept");
    expect(await read(1)).toEqual([{ id: 1, result: "still here" }]);
  });

  test("an aborted request rejects at once and its late reply is ignored", async () => {
    const { say, read, peer } = open({ onRequest: () => "pong" });
    const abort = new AbortController();
    const answer = peer.request("approve", {}, abort.signal);
    await read(1);

    abort.abort(new Error("changed my mind"));
    await expect(answer).rejects.toThrow("changed my mind");
    say({ id: 0, result: "accept" }, { id: 1, method: "ping" });

    expect(await read(1)).toEqual([{ id: 1, result: "pong" }]);
    await expect(peer.request("b", {}, abort.signal)).rejects.toThrow("changed my mind");
  });

  test("the end of the connection rejects pending and later requests", async () => {
    const { far, read, peer } = open();
    const answer = peer.request("approve");
    await read(1);

    await far.close();

    await expect(answer).rejects.toThrow("The connection is closed");
    await peer.ended;
    await expect(peer.request("more")).rejects.toThrow("The connection is closed");
    expect(peer.signal.aborted).toBe(true);
  });

  test("more than may wait are refused", async () => {
    const { peer } = open({ limits: { calls: 2 } });
    const waiting = [peer.request("a"), peer.request("b")];

    await expect(peer.request("c")).rejects.toMatchObject({ code: -32001 });

    await peer.close();
    await Promise.allSettled(waiting);
  });
});

describe("the end", () => {
  test("a client that half-closes still gets its replies", async () => {
    const slow = createDeferred<unknown>();
    const { far, say, read, peer } = open({ onRequest: () => slow.promise });

    say({ id: 1, method: "slow" });
    far.end();
    await peer.ended;
    expect(peer.signal.aborted).toBe(false);
    slow.resolve("late");
    await peer.idle();
    await peer.close();

    expect(await read(2)).toEqual([{ id: 1, result: "late" }]);
  });

  test("a lost connection aborts requests in flight", async () => {
    const seen: RpcRequest[] = [];
    const { far, say, peer } = open({
      onRequest(request) {
        seen.push(request);
        return new Promise(() => {});
      },
    });
    say({ id: 1, method: "a" });
    await nextTick();

    far.destroy();
    await peer.ended;

    expect(seen.map(({ signal }) => signal.aborted)).toEqual([true]);
  });
});

describe("messages that are not requests", () => {
  test("notifications are handed over and never answered", async () => {
    const received: unknown[] = [];
    const faults: unknown[] = [];
    const { say, read } = open({
      onRequest: () => "pong",
      onFault: (error) => faults.push(error),
      onNotification(notification) {
        received.push(notification);
        if (notification.method === "bad") throw new Error("handler");
      },
    });

    say({ method: "a", params: 1 }, { method: "bad" }, { id: 1, method: "ping" });

    expect(await read(1)).toEqual([{ id: 1, result: "pong" }]);
    expect(received).toEqual([
      { method: "a", params: 1 },
      { method: "bad", params: undefined },
    ]);
    expect(faults).toEqual([new Error("handler")]);
  });

  test("a hook that throws affects only its own message", async () => {
    const faults: unknown[] = [];
    const { say, read } = open({
      onRequest: () => "pong",
      onFault: (error) => faults.push(error),
      onMalformed() {
        throw new Error("hook");
      },
    });

    say({}, { id: 1, method: "ping" });

    expect(await read(1)).toEqual([{ id: 1, result: "pong" }]);
    expect(faults).toEqual([new Error("hook")]);
  });

  test("every other message is answered by an error that names the problem", async () => {
    const { say, read } = open({ onRequest: () => "pong" });
    const shapeless = [null, 1, "text", true, {}, { method: 5 }, { params: {} }];

    say(new Malformed("The message is not JSON", "x"), new Malformed("too long"));
    say(...shapeless, { id: "e9" }, { id: null, method: "a" }, { id: 2 ** 60, method: "a" });
    say({ id: 1.5, method: "a" }, [], [{ id: 1, method: "a" }], { id: 1, method: "ping" });

    const answers = (await read(16)) as { id: unknown; error?: { code: number } }[];
    expect(answers.map(({ id, error }) => [id, error?.code])).toEqual([
      ["x", -32700],
      [null, -32700],
      ...shapeless.map(() => [null, -32600]),
      ["e9", -32600],
      ...Array.from({ length: 5 }, () => [null, -32600]),
      [1, undefined],
    ]);
  });

  test("a surface may stay silent about them", async () => {
    const problems: string[] = [];
    const { say, read } = open({
      onRequest: () => "pong",
      onMalformed: ({ kind }) => {
        problems.push(kind);
        return undefined;
      },
    });

    say(new Malformed("bad"), {}, [], { id: 1, method: "ping" });

    expect(await read(1)).toEqual([{ id: 1, result: "pong" }]);
    expect(problems).toEqual(["parse", "shape", "batch"]);
  });

  test("keys that name the prototype are read as nothing else", async () => {
    const { say, read } = open({ onRequest: () => "pong" });

    say(JSON.parse('{"__proto__":{"method":"ping"},"id":1}'), { id: 2, method: "constructor" });

    expect(await read(2)).toMatchObject([
      { id: 1, error: { code: -32600 } },
      { id: 2, result: "pong" },
    ]);
  });
});

describe("batches", () => {
  test("where they are accepted, the replies come together, in any order, once all are there", async () => {
    const slow = createDeferred<unknown>();
    const { say, read } = open({
      batches: "accept",
      onRequest: ({ method }) => (method === "slow" ? slow.promise : method),
    });

    say([{ id: 1, method: "slow" }, { method: "n" }, 5, [], { id: 2, method: "quick" }]);
    await nextTick();
    slow.resolve("slow");

    const [replies] = await read(1);
    expect(replies).toMatchObject([
      { id: null, error: { code: -32600 } },
      { id: null, error: { code: -32600 } },
      { id: 2, result: "quick" },
      { id: 1, result: "slow" },
    ]);
  });

  test("one without a request has no reply, an empty one is a mistake", async () => {
    const { say, read } = open({ batches: "accept", onRequest: () => "pong" });

    say([{ method: "n" }, { id: 4, result: 1 }], [], { id: 1, method: "ping" });

    expect(await read(2)).toMatchObject([
      { id: null, error: { code: -32600 } },
      { id: 1, result: "pong" },
    ]);
  });
});

test("each request gets exactly one reply, whatever else arrives", async () => {
  const request = fc.record(
    { id: fc.oneof(fc.integer(), fc.string()), method: fc.string(), params: fc.jsonValue() },
    { requiredKeys: ["id", "method"] },
  );
  const anything = fc.oneof(fc.jsonValue(), fc.object({ key: fc.constantFrom("id", "method") }));

  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(request, anything)), async (messages) => {
      const { say, far, read } = open({ onRequest: ({ id }) => id, onMalformed: () => undefined });
      const isRequest = (message: unknown) => isCall(message) && typeof message.method === "string";

      say(...messages);
      far.end();
      const expected = messages.filter(isRequest).map((message) => (message as { id: unknown }).id);

      const replies = (await read(expected.length)) as { id: unknown; result: unknown }[];
      expect(replies.map(({ id }) => id)).toEqual(expected);
    }),
    { numRuns: 200 },
  );
});

function isCall(message: unknown): message is { id: unknown; method: unknown } {
  if (typeof message !== "object" || message === null || Array.isArray(message)) return false;
  const { id } = message as { id?: unknown };
  return typeof id === "string" || Number.isSafeInteger(id);
}

/** Creates a peer, and returns the other end of its channel as well. */
function open(options: Partial<PeerOptions> = {}) {
  const [near, far] = linkedChannels();
  const peer = createPeer(near, { writesVersion: false, onRequest: () => undefined, ...options });
  const say = (...messages: unknown[]) => {
    for (const message of messages) far.send(message);
  };
  return { peer, far, say, read: reader(far) };
}
