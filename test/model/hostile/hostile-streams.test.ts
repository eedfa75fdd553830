import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { StreamItem } from "../../../src/model/types.js";
import { askServer, type ClientUnderTest } from "../lowered/ask-client.js";
import { type Api, add, apis } from "./apis.js";
import { type ByteAnswer, cutAt, serveBytes, serveFrames, toBytes } from "./byte-server.js";

/** Sends one prompt to a server that answers with these bytes. */
async function ask(api: ClientUnderTest, answer: ByteAnswer): Promise<StreamItem[]> {
  await using server = await serveBytes(answer);
  return (await askServer(api, server.url, { tools: [add] })).items;
}

const askEvents = (api: Api, events: readonly (object | string)[]) =>
  ask(api, { pieces: [toBytes(events)] });

/** The same over a WebSocket, with one frame for each event. */
async function askSocket(api: Api, events: readonly (object | string)[]): Promise<StreamItem[]> {
  const frames = events.map((event) => (typeof event === "string" ? event : JSON.stringify(event)));
  await using server = await serveFrames(frames);
  const provider = { ...api.provider, supports_websockets: true };
  return (await askServer({ ...api, provider }, server.url, { tools: [add] })).items;
}

const lastOf = (items: readonly StreamItem[]) => items.at(-1);
const callsOf = (items: readonly StreamItem[]) =>
  items.flatMap((item) =>
    item.type === "item_done" && item.item.type === "function_call" ? [item.item] : [],
  );

/** Values of wrong types, and of right types that no server sends. */
const oddValue = fc.oneof(
  fc.constantFrom(null, true, -1, 0, 1e308, 2 ** 53, "", "\u0000", "__proto__", "[DONE]"),
  fc.constantFrom([], {}, [null], [[]], { type: "function_call" }, { toString: 1 }),
  fc.jsonValue({ maxDepth: 3 }),
);

const oddEvent = fc.oneof(
  fc.constantFrom<object | string>(
    { type: "error", error: { type: "overloaded_error", message: "Busy." } },
    { type: "error", error: null },
    { error: "Broken." },
    { error: { status: "INTERNAL", message: "Broken." } },
    { type: "response.failed", response: { error: { code: "server_error", message: "Broken." } } },
    { type: "response.incomplete" },
    { type: "new.event", item: { type: "message" } },
    { type: "ping" },
    "{",
    "<html>",
    "[DONE]",
    "",
  ),
  fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.stringify(value)),
);

type Change = (events: (object | string)[]) => (object | string)[];

const change: fc.Arbitrary<Change> = fc.oneof(
  fc.nat().map(
    (at): Change =>
      (events) =>
        events.filter((_, index) => index !== at % events.length),
  ),
  fc.nat().map(
    (at): Change =>
      (events) => {
        const index = at % Math.max(events.length, 1);
        return [...events.slice(0, index + 1), ...events.slice(index)];
      },
  ),
  fc.tuple(fc.nat(), fc.nat()).map(
    ([one, other]): Change =>
      (events) => {
        const copy = [...events];
        const [first, second] = [one % copy.length, other % copy.length];
        [copy[first], copy[second]] = [copy[second] ?? "", copy[first] ?? ""];
        return copy;
      },
  ),
  fc.tuple(fc.nat(), oddEvent).map(
    ([at, event]): Change =>
      (events) =>
        events.toSpliced(at % (events.length + 1), 0, event),
  ),
  fc.tuple(fc.nat(), fc.nat()).map(
    ([at, length]): Change =>
      (events) => {
        const index = at % events.length;
        const text = JSON.stringify(events[index] ?? "");
        return events.toSpliced(index, 1, text.slice(0, length % text.length));
      },
  ),
  fc.tuple(fc.nat(), fc.nat(), oddValue).map(
    ([at, field, value]): Change =>
      (events) => {
        const index = at % events.length;
        return events.toSpliced(index, 1, withField(events[index] ?? "", field, value));
      },
  ),
);

/** Replaces one of the values in an event. */
function withField(event: object | string, field: number, value: unknown): object | string {
  if (typeof event === "string") return event;
  let count = 0;
  JSON.stringify(event, (_, inner: unknown) => {
    count++;
    return inner;
  });
  const chosen = field % count;
  let at = -1;
  const text = JSON.stringify(event, (_, inner: unknown) => (++at === chosen ? value : inner));
  return text;
}

function expectSound(items: readonly StreamItem[]): void {
  const ends = items.filter(({ type }) => type === "completed" || type === "failed");
  expect(ends).toHaveLength(1);
  const last = lastOf(items);
  expect(ends).toEqual([last]);
  if (last?.type === "failed") expect(last.failure.message).not.toBe("");
  if (last?.type === "completed" && last.usage !== undefined) {
    for (const count of Object.values(last.usage)) {
      expect(count).toSatisfy((value: number) => Number.isSafeInteger(value) && value >= 0);
    }
  }
  for (const { name, call_id } of callsOf(items)) {
    expect(typeof call_id).toBe("string");
    expect(typeof name).toBe("string");
  }
}

describe.each(Object.entries(apis))("an answer of %s", (_, api) => {
  test("is the same however its bytes are cut, and whatever ends its lines", async () => {
    const whole = await askEvents(api, api.answer);
    expect(callsOf(whole)).toMatchObject([{ name: "add", arguments: '{"a":1}' }]);
    expect(lastOf(whole)?.type).toBe("completed");

    const cuts = fc.array(fc.nat(), { maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(cuts, fc.constantFrom("\n", "\r\n"), async (offsets, lineEnd) => {
        const pieces = cutAt(toBytes(api.answer, lineEnd), offsets);
        const items = await ask(api, { pieces });

        expect(withoutIds(items)).toEqual(withoutIds(whole));
      }),
      { numRuns: 30 },
    );
  });

  test("ends once, whatever is changed in it, and never with a broken count or call", async () => {
    const changes = fc.array(change, { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(changes, fc.boolean(), async (changed, isCut) => {
        const events = changed.reduce(
          (all, one) => (all.length === 0 ? all : one(all)),
          api.answer,
        );

        expectSound(await ask(api, { pieces: [toBytes(events)], isCut }));
      }),
      { numRuns: 150 },
    );
  });

  test("never makes a call of one that was cut off", async () => {
    const bytes = toBytes(api.answer);
    const end = bytes.indexOf("add");

    for (let length = end; length < bytes.length; length += 7) {
      const items = await ask(api, { pieces: [bytes.subarray(0, length)], isCut: true });
      for (const { arguments: args } of callsOf(items)) expect(JSON.parse(args)).toEqual({ a: 1 });
    }
  });

  test("can have an event of 20 MB", async () => {
    const long = "x".repeat(20 * 1024 * 1024);

    const items = await askEvents(api, [api.says(long), ...api.answer]);

    const texts = items.map((item) => (item.type === "text_delta" ? item.delta.length : 0));
    expect(Math.max(...texts)).toBe(long.length);
    expect(lastOf(items)?.type).toBe("completed");
  });

  test("has no tokens below zero, and none that no sum can hold", async () => {
    for (const tokens of [-5, 1e300, 0.5]) {
      expect(lastOf(await askEvents(api, api.uses(tokens)))).toMatchObject({
        type: "completed",
        usage: {
          input_tokens: 0,
          cached_input_tokens: 0,
          output_tokens: 0,
          reasoning_output_tokens: 0,
          total_tokens: 0,
        },
      });
    }
  });

  test("fails if it makes more calls than any model does", async () => {
    expect(lastOf(await askEvents(api, api.calls(1_000)))?.type).toBe("completed");
    expect(lastOf(await askEvents(api, api.calls(1_001)))).toMatchObject({
      type: "failed",
      failure: { message: expect.stringContaining("calls more than 1000 tools"), retryable: true },
    });
  });

  test("fails if it never ends", async () => {
    function* endless() {
      for (const piece = `: ${"y".repeat(2 ** 20)}\n`; ; ) yield piece;
    }

    expect(lastOf(await ask(api, { pieces: endless() }))).toMatchObject({
      type: "failed",
      failure: { message: expect.stringContaining("the response is longer than") },
    });
  });

  test("that is a page names the type and the remedy", async () => {
    const headers = { "content-type": "text/html; charset=utf-8" };

    const items = await ask(api, { headers, pieces: ["<!doctype html><title>Sign in</title>"] });

    expect(items).toMatchObject([
      {
        type: "failed",
        failure: { message: expect.stringMatching(/text\/html .*base_url/), retryable: true },
      },
    ]);
  });

  test("is not looked for at another address", async () => {
    const headers = { location: "http://127.0.0.1:9/elsewhere", "content-type": "text/plain" };

    const items = await ask(api, { status: 307, headers, pieces: ["Moved."] });

    expect(items).toMatchObject([{ type: "failed", failure: { status: 307, retryable: false } }]);
  });
});

describe("an answer over a WebSocket", () => {
  const api = apis.responses as Api;

  test("ends once, whatever is changed in it", async () => {
    const changes = fc.array(change, { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(changes, async (changed) => {
        const events = changed.reduce(
          (all, one) => (all.length === 0 ? all : one(all)),
          api.answer,
        );

        expectSound(await askSocket(api, events));
      }),
      { numRuns: 100 },
    );
  });

  test("can have an event of 20 MB", async () => {
    const long = "x".repeat(20 * 1024 * 1024);

    const items = await askSocket(api, [api.says(long), api.says(long), ...api.answer]);

    expect(items.filter((item) => item.type === "text_delta")).toHaveLength(3);
    expect(lastOf(items)?.type).toBe("completed");
  });
});

describe("a call", () => {
  const block = (index: number, name?: string) => ({
    type: "content_block_start",
    index,
    content_block: { type: "tool_use", name, input: {} },
  });
  const json = (index: number, partial_json: string) => ({
    type: "content_block_delta",
    index,
    delta: { type: "input_json_delta", partial_json },
  });
  const ends = [{ type: "message_delta", delta: { stop_reason: "tool_use" } }];
  const anthropic = apis.anthropic as Api;
  const chat = apis.chat as Api;

  test("does not get the arguments of another one with its index", async () => {
    const events = [block(0, "one"), json(0, "{}"), block(0, "other"), json(0, '{"a":1}'), ...ends];

    expect(
      callsOf(await askEvents(anthropic, [...events, { type: "message_stop" }])),
    ).toMatchObject([
      { name: "one", arguments: "{}" },
      { name: "other", arguments: '{"a":1}' },
    ]);
  });

  test("without a name fails the answer", async () => {
    const items = await askEvents(anthropic, [json(3, "{}"), ...ends, { type: "message_stop" }]);

    expect(callsOf(items)).toEqual([]);
    expect(lastOf(items)).toMatchObject({
      failure: { message: expect.stringContaining("a tool call has no name"), retryable: true },
    });
  });

  test.each([
    ["inside the block", [block(0, "add")]],
    ["inside the arguments", [block(0, "add"), json(0, '{"a'), { type: "content_block_stop" }]],
  ])("is not made if the message ends %s", async (_, events) => {
    const items = await askEvents(anthropic, [...events, { type: "message_stop" }]);

    expect(callsOf(items)).toEqual([]);
    expect(lastOf(items)).toMatchObject({ type: "failed", failure: { retryable: true } });
  });

  test("is not made if a chat ends inside its arguments without a reason", async () => {
    const items = await askEvents(chat, [...chat.answer.slice(0, 2), "[DONE]"]);

    expect(callsOf(items)).toEqual([]);
    expect(lastOf(items)).toMatchObject({ type: "failed", failure: { retryable: true } });
  });

  test("has an id of its own, even if the server repeats one", async () => {
    const call = (index: number) => ({
      index,
      id: "same",
      function: { name: "add", arguments: "{}" },
    });
    const events = [
      { choices: [{ delta: { tool_calls: [call(0), call(1)] }, finish_reason: "tool_calls" }] },
      "[DONE]",
    ];

    const ids = callsOf(await askEvents(chat, events)).map(({ call_id }) => call_id);

    expect(ids[0]).toBe("same");
    expect(new Set(ids).size).toBe(2);
  });
});

/** Ids that the client made up differ from answer to answer. */
function withoutIds(items: readonly StreamItem[]): unknown {
  const text = JSON.stringify(items);
  return JSON.parse(text.replace(/"call_id":"call_\d+"/g, '"call_id":""'));
}
