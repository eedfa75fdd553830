import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import type { Script } from "../../../src/model/scripted/index.js";
import type { ThreadSearchResponse } from "../../../src/protocol/rpc/v2/thread-search.js";
import type { ThreadTimelineListResponse } from "../../../src/protocol/rpc/v2/thread-timeline.js";
import { calls, says } from "../../support/model.js";
import { type Page, talk } from "./support.js";
import { initialize, startAppServer, startThread } from "./thread.js";

const unknown = "00000000-0000-7000-8000-000000000000";
const words = (count: number) => Array.from({ length: count }, (_, at) => `word${at}`).join(" ");

async function start(model: Script) {
  const server = await startAppServer({ model });
  const client = server.connect();
  await initialize(client, { experimentalApi: true });
  const refusal = (method: string, params: object) =>
    client.call(method, params).then(
      () => "accepted",
      ({ code, message }: { code: number; message: string }) => `${code} ${message}`,
    );
  const dispose = () => server[Symbol.asyncDispose]();
  return { server, client, refusal, [Symbol.asyncDispose]: dispose };
}

test("threads are found by prompts and answers in any case, but not by outputs of commands", async () => {
  await using scene = await start([
    says("The Purple elephant is in the attic."),
    calls("shell", { command: ["echo", "zebra"] }),
    says("Cats and one elephant."),
  ]);
  const { client, refusal } = scene;
  const first = await startThread(client);
  await talk(client, first, "find the purple elephant");
  const second = await startThread(client);
  await talk(client, second, "something about cats");
  const search = async (params: object) => {
    const found = (await client.call("thread/search", params)) as ThreadSearchResponse;
    return { ...found, data: found.data.map(({ thread, snippet }) => [thread.id, snippet]) };
  };

  const all = await search({ searchTerm: "elephant" });
  const oldest = await search({
    searchTerm: "elephant",
    limit: 1,
    sortKey: "created_at",
    sortDirection: "asc",
  });
  const next = await search({
    searchTerm: "elephant",
    cursor: oldest.nextCursor,
    sortDirection: "asc",
  });

  const hits = [
    [second, "Cats and one elephant."],
    [first, "find the purple elephant"],
  ];
  expect(all).toEqual({ data: hits, nextCursor: null, backwardsCursor: expect.any(String) });
  expect(oldest.data).toEqual([hits[1]]);
  expect(next.data).toEqual([hits[0]]);
  expect((await search({ searchTerm: "ATTIC" })).data).toEqual([
    [first, "The Purple elephant is in the attic."],
  ]);
  expect((await search({ searchTerm: "elephant", archived: true })).data).toEqual([]);
  expect(await refusal("thread/search", { searchTerm: " " })).toBe(
    "-32600 thread/search requires a non-empty searchTerm",
  );
});

test("a search that takes long ends a page early, and its cursor continues", async () => {
  await using scene = await start([]);
  const { server, client } = scene;
  for (let n = 0; n < 40; n++) writeThread(server.home, n, n % 10 === 0 ? "a rare bird" : "a cat");
  let now = 0;
  vi.spyOn(performance, "now").mockImplementation(() => {
    now += 20; // each look at the clock takes long
    return now;
  });
  onTestFinished(() => void vi.restoreAllMocks());
  const sizes: number[] = [];
  const found: string[] = [];
  for (let at: { cursor?: string } | undefined = {}; at !== undefined; ) {
    const page = (await client.call("thread/search", {
      ...{ searchTerm: "RARE", sortKey: "updated_at", ...at },
    })) as ThreadSearchResponse;
    sizes.push(page.data.length);
    found.push(...page.data.map(({ thread }) => thread.preview));
    at = page.nextCursor === null ? undefined : { cursor: page.nextCursor };
  }

  expect(sizes.length).toBeGreaterThan(1);
  expect(found.toSorted()).toEqual([0, 10, 20, 30].map((n) => `${n}: a rare bird`));
});

test("other requests are served while many threads are searched", async () => {
  await using scene = await start([]);
  const { server, client } = scene;
  for (let n = 0; n < 2000; n++) writeThread(server.home, n, "a cat");
  const order: string[] = [];
  const note = (name: string) => () => order.push(name);

  const search = client.call("thread/search", { searchTerm: "bird" }).then(note("search"));
  await client.call("thread/loaded/list", {}).then(note("other"));
  await client.call("thread/loaded/list", {}).then(note("other"));
  await search;

  expect(order).toEqual(["other", "other", "search"]);
});

test("letters of any script are found, also if they were escaped", async () => {
  await using scene = await start([]);
  const { server, client } = scene;
  writeThread(server.home, 1, "Größe und Maß");
  const escaped = writeThread(server.home, 2, "GRÖSSE, größer");
  writeFileSync(escaped.path, escaped.text.replaceAll("ö", "\\u00f6").replaceAll("Ö", "\\u00D6"));
  writeThread(server.home, 3, "gross");
  writeThread(server.home, 4, `${"x".repeat(262_140)} größe`);

  const page = (await client.call("thread/search", { searchTerm: "GRÖ" })) as ThreadSearchResponse;

  expect(page.data.map(({ thread }) => thread.preview.slice(0, 4)).toSorted()).toEqual([
    "1: G",
    "2: G",
    "4: x",
  ]);
});

/** Writes a thread whose first message is a number and a text. */
function writeThread(home: string, n: number, text: string): { path: string; text: string } {
  const id = `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;
  const path = join(home, `sessions/2025/01/02/rollout-2025-01-02T10-00-00-${id}.jsonl`);
  const timestamp = "2025-01-02T10:00:00.000Z";
  const message = `${n}: ${text}`;
  const facts = { cwd: "/w", originator: "test", cli_version: "0.166.0", source: "cli" };
  const lines = [
    { type: "session_meta", payload: { id, timestamp, instructions: null, ...facts } },
    { type: "event_msg", payload: { type: "task_started", model_context_window: 1000 } },
    { type: "event_msg", payload: { type: "user_message", message, kind: "plain" } },
  ];
  const all = lines.map((line) => `${JSON.stringify({ timestamp, ...line })}\n`).join("");
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, all);
  return { path, text: all };
}

test("each occurrence in a thread has a snippet, a range in it, and a cursor of its turn", async () => {
  const long = `${words(120)} zebra ${words(120)}`;
  await using scene = await start([
    says("multi\nline **Zebra** and `zebra`\n\n- list"),
    says(long),
  ]);
  const { client, refusal } = scene;
  const threadId = await startThread(client);
  const firstTurn = await talk(client, threadId, "no animal");
  const secondTurn = await talk(client, threadId, "a\n  zebra");
  const find = (params: object) =>
    client.call("thread/searchOccurrences", {
      threadId,
      searchTerm: "zebra",
      ...params,
    }) as Promise<Page<{ snippet: string; turnId: string; turnCursor: string }>>;

  const { data } = await find({});
  const page = await find({ limit: 3 });
  const rest = await find({ cursor: page.nextCursor });
  const [, , third] = data;
  const turns = (await client.call("thread/turns/list", {
    threadId,
    cursor: third?.turnCursor,
  })) as Page<{ id: string }>;

  expect(data.map(({ snippet, turnId }) => [turnId, snippet])).toEqual([
    [firstTurn, "multi line Zebra and zebra list"],
    [firstTurn, "multi line Zebra and zebra list"],
    [secondTurn, "a\n  zebra"],
    [
      secondTurn,
      expect.stringMatching(/^\.\.\. {2}word114 .* word119 zebra word0 .*word14 {2}\.\.\.$/),
    ],
  ]);
  expect(data).toMatchObject([
    { snippetMatchRange: { start: 11, end: 16 } },
    { snippetMatchRange: { start: 21, end: 26 } },
    { snippetMatchRange: { start: 4, end: 9 } },
    { snippetMatchRange: { start: 53, end: 58 } },
  ]);
  expect([page.data.length, rest.data.length, rest.nextCursor]).toEqual([3, 1, null]);
  expect(turns.data[0]?.id).toBe(secondTurn);
  const refused = (params: object) =>
    refusal("thread/searchOccurrences", { threadId, searchTerm: "x", ...params });
  expect(await refused({ cursor: "junk" })).toBe("-32600 invalid cursor: junk");
  expect(await refused({ cursor: page.nextCursor })).toMatch(/^-32600 invalid cursor/);
  expect(await refused({ threadId: unknown })).toBe(
    "-32601 thread/searchOccurrences is not supported yet",
  );
});

test("items are read by id, and the timeline has the starts, items and ends of turns", async () => {
  await using scene = await start([says("One."), says("Two.")]);
  const { client, refusal } = scene;
  const threadId = await startThread(client);
  const first = await talk(client, threadId, "first");
  const second = await talk(client, threadId, "second");
  const list = (params: object = {}) =>
    client.call("thread/timeline/list", {
      threadId,
      ...params,
    }) as Promise<ThreadTimelineListResponse>;

  const whole = await list();
  const last = await list({ limit: 3 });
  const before = await list({ cursor: last.nextCursor });
  const item = whole.data.flatMap((entry) => (entry.type === "item" ? [entry.item] : []))[1];
  const read = (params: object) =>
    client.call("thread/items/read", { threadId, turnId: first, itemIds: [item?.id], ...params });

  const kinds = ["turnStarted", "item", "item", "turnCompleted"];
  expect(whole.data.map(({ type }) => type)).toEqual([...kinds, ...kinds]);
  expect(whole.data.map(({ position }) => position)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  expect(last.data).toEqual(whole.data.slice(5));
  expect(before).toEqual({
    data: whole.data.slice(0, 5),
    nextCursor: null,
    activeRealtimeSessionAtPageStart: null,
  });
  expect(await read({})).toMatchObject({ data: [{ turnId: first, item: { text: "One." } }] });
  expect(await read({ turnId: second })).toEqual({ data: [] });
  const refused = (method: string, params: object) =>
    refusal(`thread/${method}`, { threadId, turnId: first, itemIds: ["x"], ...params });
  expect(await refused("items/read", { itemIds: [] })).toBe(
    "-32600 itemIds must contain 1 to 100 IDs",
  );
  expect(await refused("timeline/list", { cursor: "junk" })).toBe(
    "-32600 invalid thread timeline cursor",
  );
  expect(await refused("items/read", { threadId: unknown })).toBe(
    "-32601 thread/items/read is not supported yet",
  );
});
