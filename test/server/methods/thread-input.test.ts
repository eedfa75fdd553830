import { expect, test } from "vitest";
import { type Opened, type Page, talk, texts } from "./support.js";
import { begin, initialize, say, startAppServer, startThread } from "./thread.js";

const answers = ["One.", "Two.", "Three."].map((message) => [{ message }]);

test("changed settings apply to the next turn, and subscribers are notified", async () => {
  await using server = await startAppServer({ model: answers });
  const [client, other] = [server.connect(), server.connect()];
  const threadId = await begin(client);
  await initialize(other);
  await other.call("thread/resume", { threadId, excludeTurns: true });

  const answer = await client.call("thread/settings/update", {
    threadId,
    model: "other",
    effort: "high",
    approvalPolicy: "on-request",
    sandboxPolicy: { type: "readOnly" },
  });
  const { params } = await other.until("thread/settings/updated");
  await talk(client, threadId, "go");
  const opened = (await client.call("thread/resume", { threadId, excludeTurns: true })) as Opened;

  expect(answer).toEqual({});
  expect(params).toEqual({
    threadId,
    threadSettings: {
      disabledPluginIds: [],
      cwd: server.workspace,
      approvalPolicy: "on-request",
      approvalsReviewer: "user",
      sandboxPolicy: { type: "readOnly", networkAccess: false },
      activePermissionProfile: null,
      model: "other",
      modelProvider: "mock",
      serviceTier: null,
      effort: "high",
      summary: "auto",
      collaborationMode: {
        mode: "default",
        settings: { model: "other", reasoning_effort: "high", developer_instructions: null },
      },
      personality: null,
      multiAgentMode: "explicitRequestOnly",
    },
  });
  expect(opened).toMatchObject({ model: "other", reasoningEffort: "high" });
});

test("a user shell command is a turn and part of the history", async () => {
  await using server = await startAppServer();
  const client = server.connect();
  const threadId = await begin(client);

  await client.call("thread/shellCommand", { threadId, command: "echo $((1 + 2))" });
  await client.until("turn/completed");
  const { data } = (await client.call("thread/turns/list", {
    threadId,
    itemsView: "full",
  })) as Page<Opened["thread"]["turns"][number]>;
  const blank = client.call("thread/shellCommand", { threadId, command: " " });

  expect(data).toMatchObject([
    { items: [{ type: "commandExecution", aggregatedOutput: "3\n", source: "userShell" }] },
  ]);
  await expect(blank).rejects.toThrow("command must not be empty");
});

test("injected items join the conversation without starting a turn", async () => {
  await using server = await startAppServer({ model: answers });
  const client = server.connect();
  const threadId = await begin(client);
  const item = { type: "message", role: "user", content: [{ type: "input_text", text: "secret" }] };

  const answer = await client.call("thread/inject_items", { threadId, items: [item] });
  const none = client.call("thread/inject_items", { threadId, items: [] });

  expect(answer).toEqual({});
  await expect(none).rejects.toThrow("items must not be empty");
  expect(client.heard.map(({ method }) => method)).not.toContain("turn/started");
  const { thread } = (await client.call("thread/read", { threadId })) as Opened;
  expect(thread.preview).toBe("secret");
});

test("compaction interrupts the running turn and replaces the history", async () => {
  await using server = await startAppServer({
    model: [[{ message: "…" }, { hang: true }], [{ message: "In short." }], [{ message: "Two." }]],
  });
  const client = server.connect();
  const threadId = await begin(client);
  await say(client, threadId, "first");
  await client.until("item/agentMessage/delta");

  await client.call("thread/compact/start", { threadId });
  const [aborted, summed] = [
    await client.until("turn/completed"),
    await client.until("turn/completed"),
  ];
  await talk(client, threadId, "second");

  expect([aborted.params, summed.params]).toMatchObject([
    { turn: { status: "interrupted" } },
    { turn: { status: "completed" } },
  ]);
});

test("an unsubscribed client receives nothing; the thread stays loaded", async () => {
  await using server = await startAppServer({ model: answers });
  const [client, other] = [server.connect(), server.connect()];
  const threadId = await begin(client);
  await initialize(other);
  await other.call("thread/resume", { threadId, excludeTurns: true });
  const leave = (id: string) => client.call("thread/unsubscribe", { threadId: id });

  const statuses = [
    await leave(threadId),
    await leave(threadId),
    await leave("67e55044-10b1-426f-9247-bb680e5fe0c8"),
  ];
  await talk(other, threadId, "hello");

  expect(statuses).toEqual([
    { status: "unsubscribed" },
    { status: "notSubscribed" },
    { status: "notLoaded" },
  ]);
  expect(client.heard.map(({ method }) => method)).not.toContain("turn/completed");
});

test("[clients 9a] idle threads without subscribers are unloaded after a minute; others stay", async () => {
  await using server = await startAppServer({
    model: [[{ message: "One." }], [{ message: "…" }, { hang: true }]],
  });
  const client = server.connect();
  const left = await begin(client);
  await talk(client, left, "hello");
  const working = await startThread(client);
  await say(client, working, "go");
  await client.until("item/agentMessage/delta");
  const heard = await startThread(client);
  for (const threadId of [left, working]) await client.call("thread/unsubscribe", { threadId });
  const { unloader } = server.server;

  await unloader.sweep();
  const soon = await client.call("thread/loaded/list", {});
  server.tick(50_000);
  await unloader.sweep();
  const almost = await client.call("thread/loaded/list", {});
  client.heard.length = 0;
  server.tick(10_000);
  await unloader.sweep();
  const { params } = await client.until("thread/closed");
  const later = await client.call("thread/loaded/list", {});
  const again = (await client.call("thread/resume", { threadId: left })) as Opened;

  expect(soon).toMatchObject({ data: [left, working, heard] });
  expect(almost).toEqual(soon);
  expect(client.heard.slice(0, 2)).toMatchObject([
    { method: "thread/status/changed", params: { threadId: left, status: { type: "notLoaded" } } },
    { method: "thread/closed", params: { threadId: left } },
  ]);
  expect(params).toEqual({ threadId: left });
  expect(later).toMatchObject({ data: [working, heard] });
  expect(texts(again.thread.turns)).toEqual([["hello", "One."]]);
});
