import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import type { Thread } from "../../../src/protocol/rpc/v2/thread.js";
import type { TestClient } from "../../support/server.js";
import { type Page, talk } from "./support.js";
import { begin, initialize, startAppServer, startThread } from "./thread.js";

const day = "2025-03-01";

/** Writes the rollout of a thread as another program may have left it; returns its id. */
function leave(home: string, n: number, meta: object = {}, name = "sessions/2025/03/01"): string {
  const id = `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;
  const time = `${day}T10-00-${String(n).padStart(2, "0")}`;
  const path = join(home, name, `rollout-${time}-${id}.jsonl`);
  const timestamp = `${time.slice(0, 13)}:00:${time.slice(17)}.000Z`;
  const line = (type: string, payload: object) => JSON.stringify({ timestamp, type, payload });
  const base = { id, timestamp, cwd: "/w", originator: "x", cli_version: "0.1.0", source: "cli" };
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(
    path,
    `${line("session_meta", { ...base, model_provider: "mock", ...meta })}\n` +
      `${line("event_msg", { type: "user_message", message: `prompt ${n}` })}\n`,
  );
  utimesSync(path, new Date(2025, 5, 100 - n), new Date(2025, 5, 100 - n));
  return id;
}

async function previews(client: TestClient, params: object): Promise<string[]> {
  const { data } = (await client.call("thread/list", params)) as Page<Thread>;
  return data.map(({ preview }) => preview);
}

test("threads are listed in pages in both directions, by creation or update", async () => {
  await using server = await startAppServer();
  for (let n = 1; n <= 5; n++) leave(server.home, n);
  const client = server.connect();
  await initialize(client);
  const list = async (params: object) => (await client.call("thread/list", params)) as Page<Thread>;

  const first = await list({ limit: 2 });
  const second = await list({ limit: 2, cursor: first.nextCursor });
  const back = await list({ cursor: second.backwardsCursor, sortDirection: "asc" });

  const said = ({ data }: Page<Thread>) => data.map(({ preview }) => preview);
  expect([first, second, back].map(said)).toEqual([
    ["prompt 5", "prompt 4"],
    ["prompt 3", "prompt 2"],
    ["prompt 3", "prompt 4", "prompt 5"],
  ]);
  expect(await previews(client, { sortKey: "updated_at", limit: 2 })).toEqual([
    "prompt 1",
    "prompt 2",
  ]);
  expect(await previews(client, { sortKey: "recency_at", sortDirection: "asc", limit: 1 })).toEqual(
    ["prompt 5"],
  );
});

test("time cursors neither skip nor repeat threads", async () => {
  await using server = await startAppServer({
    model: Array.from({ length: 6 }, () => [{ message: "Done." }]),
  });
  const client = server.connect();
  await initialize(client);
  const ids: string[] = [];
  for (let n = 0; n < 6; n++) {
    const threadId = await startThread(client);
    await talk(client, threadId, `prompt ${n}`);
    ids.unshift(threadId);
  }
  const list = async (params: object) => (await client.call("thread/list", params)) as Page<Thread>;

  const pages: Page<Thread>[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await list({ limit: 2, cursor });
    pages.push(page);
    cursor = page.nextCursor;
  }
  const back = await list({ sortDirection: "asc", cursor: pages[1]?.backwardsCursor });

  const shown = pages.flatMap(({ data }) => data.map(({ id }) => id));
  expect(shown).toEqual(ids);
  expect(pages[0]?.nextCursor).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{7}Z$/);
  expect(back.data.map(({ id }) => id)).toEqual(ids.slice(0, 3).reverse());
});

test("threads are filtered by provider, source, folder, search term and id", async () => {
  await using server = await startAppServer();
  const { home } = server;
  const one = leave(home, 1);
  leave(home, 2, { source: "exec" });
  leave(home, 3, { model_provider: "other" });
  leave(home, 4, { cwd: "/elsewhere" });
  leave(home, 5, { source: { subagent: "review" } });
  const six = leave(home, 6, {}, "archived_sessions");
  const client = server.connect();
  await initialize(client);
  await client.call("thread/name/set", { threadId: one, name: "Blue Whale" });

  const lists = [
    {},
    { sourceKinds: ["exec"] },
    { sourceKinds: ["subAgentReview"] },
    { sourceKinds: [], modelProviders: [] },
    { modelProviders: ["other"] },
    { cwd: "/elsewhere" },
    { cwd: ["/w", "/elsewhere"] },
    { searchTerm: "whale" },
    { searchTerm: "PROMPT 4" },
    { excludedThreadIds: [one] },
    { archived: true },
    { sectionId: "s" },
  ];
  const shown = [];
  for (const params of lists) shown.push(await previews(client, params));

  expect(shown).toEqual([
    ["prompt 4", "prompt 1"],
    ["prompt 2"],
    ["prompt 5"],
    ["prompt 4", "prompt 3", "prompt 1"],
    ["prompt 3"],
    ["prompt 4"],
    ["prompt 4", "prompt 1"],
    ["prompt 1"],
    ["prompt 4"],
    ["prompt 4"],
    ["prompt 6"],
    [],
  ]);
  expect(six).toMatch(/6$/);
});

test("a thread is listed after its first message, with its status", async () => {
  await using server = await startAppServer({ model: [[{ message: "One." }]] });
  const client = server.connect();
  const threadId = await begin(client);
  const before = await previews(client, {});
  await talk(client, threadId, "hello");

  const { data } = (await client.call("thread/list", {})) as Page<Thread>;

  expect(before).toEqual([]);
  expect(data).toMatchObject([
    {
      id: threadId,
      preview: "hello",
      status: { type: "idle" },
      model: "mock-model",
      source: "vscode",
      originator: "test",
      canAcceptDirectInput: null,
      turns: [],
    },
  ]);
});

test("invalid list params are rejected", async () => {
  await using server = await startAppServer();
  const client = server.connect();
  await initialize(client);
  const refused = (params: object) =>
    client.call("thread/list", params).catch((error) => error.message);

  expect([
    await refused({ cursor: "junk" }),
    await refused({ originators: ["x"] }),
    await refused({ excludedThreadIds: ["nonsense"] }),
  ]).toEqual([
    "invalid cursor: junk",
    "originator filtering is not supported by the local app-server",
    expect.stringMatching(/^invalid thread id/),
  ]);
});

test("the summary of a thread is read by id or file", async () => {
  await using server = await startAppServer();
  const id = leave(server.home, 1, { git: { commit_hash: "abc", branch: "main" } });
  const client = server.connect();
  await initialize(client);
  const path = join(server.home, `sessions/2025/03/01/rollout-${day}T10-00-01-${id}.jsonl`);

  const summaries = [
    await client.call("getConversationSummary", { conversationId: id }),
    await client.call("getConversationSummary", { rolloutPath: path }),
  ];

  const summary = {
    conversationId: id,
    path,
    preview: "prompt 1",
    timestamp: `${day}T10:00:01.000Z`,
    updatedAt: expect.any(String),
    modelProvider: "mock",
    cwd: "/w",
    cliVersion: "0.1.0",
    source: "cli",
    gitInfo: { sha: "abc", branch: "main", origin_url: null },
  };
  expect(summaries).toEqual([{ summary }, { summary }]);
});
