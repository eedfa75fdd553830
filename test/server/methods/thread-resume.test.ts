import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Opened, talk, texts } from "./support.js";
import { begin, initialize, startAppServer as start, startThread } from "./thread.js";

const answers = [[{ message: "One." }], [{ message: "Two." }], [{ message: "Three." }]];

test("resuming a loaded thread keeps its state", async () => {
  await using server = await start({ model: answers });
  const client = server.connect();
  const threadId = await begin(client);
  await talk(client, threadId, "first");

  const resumed = (await client.call("thread/resume", { threadId, model: "other" })) as Opened;
  await talk(client, threadId, "second");
  const again = (await client.call("thread/resume", { threadId, excludeTurns: true })) as Opened;

  expect(texts(resumed.thread.turns)).toEqual([["first", "One."]]);
  expect(resumed.model).toBe("mock-model");
  expect(again.thread.turns).toEqual([]);
  expect(client.heard.filter(({ method }) => method === "turn/completed")).toHaveLength(2);
  expect(await client.call("thread/loaded/list", {})).toMatchObject({ data: [threadId] });
});

test("a thread is resumed from its file with the requested settings", async () => {
  await using server = await start({ model: answers });
  const client = server.connect();
  const threadId = await begin(client);
  await talk(client, threadId, "first");
  await server.server.threads.get(threadId).close();

  const resumed = (await client.call("thread/resume", {
    threadId,
    model: "other",
    sandbox: "read-only",
  })) as Opened;
  await talk(client, threadId, "second");
  const { thread } = (await client.call("thread/read", { threadId, includeTurns: true })) as Opened;

  expect(resumed).toMatchObject({ model: "other", sandbox: { type: "readOnly" } });
  expect(texts(thread.turns)).toEqual([
    ["first", "One."],
    ["second", "Two."],
  ]);
});

test("[clients] a thread keeps its policies in a new process, unless the client sets others", async () => {
  const config = { approval_policy: "untrusted", sandbox_mode: "read-only" };
  await using server = await start({ model: answers, config });
  const client = server.connect();
  const threadId = await begin(client, { approvalPolicy: "never", sandbox: "danger-full-access" });
  await talk(client, threadId, "first");
  const unload = () => server.server.threads.get(threadId).close();
  const resume = (params: object) =>
    client.call("thread/resume", { threadId, excludeTurns: true, ...params }) as Promise<Opened>;

  await unload();
  const kept = await resume({});
  await unload();
  const changed = await resume({ approvalPolicy: "on-request", sandbox: "workspace-write" });
  await unload();
  const byConfig = await resume({ config: { approval_policy: "on-request" } });
  const path = join(server.workspace, "rollout.jsonl");
  copyFileSync(byConfig.thread.path ?? "", path);
  await unload();
  const fromOutside = await resume({ path });

  expect(kept).toMatchObject({ approvalPolicy: "never", sandbox: { type: "dangerFullAccess" } });
  expect(changed).toMatchObject({
    approvalPolicy: "on-request",
    sandbox: { type: "workspaceWrite" },
  });
  expect(byConfig).toMatchObject({
    approvalPolicy: "on-request",
    sandbox: { type: "dangerFullAccess" },
  });
  expect(fromOutside).toMatchObject({ approvalPolicy: "untrusted", sandbox: { type: "readOnly" } });
});

test("concurrent resumes return one thread", async () => {
  await using server = await start({ model: answers });
  const [client, other] = [server.connect(), server.connect()];
  const threadId = await begin(client);
  await initialize(other);
  await talk(client, threadId, "first");
  await server.server.threads.get(threadId).close();

  const ask = (one: typeof client) => one.call("thread/resume", { threadId, excludeTurns: true });
  const opened = (await Promise.all([ask(client), ask(other), ask(client)])) as Opened[];
  await talk(client, threadId, "second");

  expect(opened.map(({ thread }) => thread.id)).toEqual([threadId, threadId, threadId]);
  expect((await other.until("turn/completed")).params).toMatchObject({ threadId });
});

test("a thread is resumed by path; another path is rejected while it is loaded", async () => {
  await using server = await start({ model: answers });
  const client = server.connect();
  const threadId = await begin(client);
  await talk(client, threadId, "first");
  const { path } = ((await client.call("thread/read", { threadId })) as Opened).thread;
  const wrong = client.call("thread/resume", { threadId, path: "/nowhere.jsonl" });
  await expect(wrong).rejects.toThrow(
    `cannot resume running thread ${threadId} with stale path: requested \`/nowhere.jsonl\`, active \`${path}\``,
  );
  await server.server.threads.get(threadId).close();

  const byPath = (await client.call("thread/resume", { threadId: "ignored", path })) as Opened;
  const missing = client.call("thread/resume", { threadId: "ignored", path: "/nowhere.jsonl" });

  expect(byPath.thread.id).toBe(threadId);
  await expect(missing).rejects.toThrow("file does not exist");
});

test("a thread starts with the history that a client sends", async () => {
  await using server = await start({ model: answers });
  const client = server.connect();
  await initialize(client);
  const message = (role: string, type: string, text: string) => ({
    type: "message",
    role,
    content: [{ type, text }],
  });
  const history = [message("user", "input_text", "a"), message("assistant", "output_text", "b")];

  const { thread } = (await client.call("thread/resume", {
    threadId: "67e55044-10b1-426f-9247-bb680e5fe0c8",
    history,
  })) as Opened;
  await talk(client, thread.id, "go on");

  expect(thread).toMatchObject({ preview: "a", turns: [] });
  expect(thread.id).not.toBe("67e55044-10b1-426f-9247-bb680e5fe0c8");
});

test("resuming an unknown or invalid thread is rejected", async () => {
  await using server = await start({ model: answers });
  const client = server.connect();
  const threadId = await begin(client);
  await talk(client, threadId, "first");
  await client.call("thread/archive", { threadId });
  const unknown = "67e55044-10b1-426f-9247-bb680e5fe0c8";

  const resume = (id: string) =>
    client.call("thread/resume", { threadId: id }).catch((error) => error.message);

  expect([await resume(threadId), await resume(unknown), await resume("nonsense")]).toEqual([
    `session ${threadId} is archived. Run \`codex unarchive ${threadId}\` to unarchive it first.`,
    `no rollout found for thread id ${unknown}`,
    expect.stringMatching(/^invalid thread id: /),
  ]);
});

test("a client that resumes with `after` receives the messages that it missed", async () => {
  await using server = await start({ model: answers });
  const [client, other] = [server.connect(), server.connect()];
  await initialize(client, { sequenceNumbers: true });
  await initialize(other);
  const threadId = await startThread(client);
  await talk(client, threadId, "first");
  await client.call("thread/unsubscribe", { threadId });
  await other.call("thread/resume", { threadId, excludeTurns: true });
  await talk(other, threadId, "second");
  client.heard.length = 0;

  await client.call("thread/resume", { threadId, excludeTurns: true, after: 0 });
  await client.until("turn/completed");
  await client.until("turn/completed");

  const turns = client.heard.filter(({ method }) => method === "turn/completed");
  expect(turns).toHaveLength(2);
});
