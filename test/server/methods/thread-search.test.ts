import { expect, test } from "vitest";
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
