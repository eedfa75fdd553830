import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { begin, initialize, startAppServer, userText } from "./conversation.js";

test("a conversation is listed, resumed and archived", async () => {
  await using server = await startAppServer({
    model: [[{ message: "One." }], [{ message: "Two." }]],
    era: "0.45",
  });
  const client = server.connect();
  const { conversationId, rolloutPath } = await begin(client);
  await client.call("sendUserMessage", { conversationId, items: userText("first") });
  await client.until("codex/event/task_complete");

  const listed = (await client.call("listConversations", {})) as { items: object[] };
  const resumed = await client.call("resumeConversation", { path: rolloutPath });
  await client.call("sendUserMessage", { conversationId, items: userText("second") });
  const { params } = await client.until("codex/event/task_complete");
  const archived = await client.call("archiveConversation", { conversationId, rolloutPath });

  expect(listed.items).toMatchObject([{ conversationId, path: rolloutPath, preview: "first" }]);
  expect(resumed).toMatchObject({ conversationId, model: "mock-model" });
  expect(params).toMatchObject({ id: "0", msg: { last_agent_message: "Two." } });
  expect(archived).toEqual({});
  expect(existsSync(join(server.home, "archived_sessions", basename(rolloutPath)))).toBe(true);
  expect(await client.call("listConversations", {})).toEqual({ items: [] });
  await expect(
    client.call("sendUserMessage", { conversationId, items: userText("gone") }),
  ).rejects.toThrow(`conversation not found: ${conversationId}`);
});

test("invalid settings are rejected, and no engine stays running", async () => {
  await using server = await startAppServer();
  const client = server.connect();
  await initialize(client);

  const starting = client.call("newConversation", { config: { model_provider: "nowhere" } });

  await expect(starting).rejects.toMatchObject({ code: -32600 });
  await expect(starting).rejects.toThrow(/error creating conversation: .*nowhere/);
});

test("a file outside of the home is not archived, and its conversation continues", async () => {
  await using server = await startAppServer({ model: [[{ message: "Still here." }]] });
  const client = server.connect();
  const { conversationId } = await begin(client);

  const rolloutPath = join(server.workspace, `rollout-${conversationId}.jsonl`);
  const archiving = client.call("archiveConversation", { conversationId, rolloutPath });

  await expect(archiving).rejects.toThrow(/must be in sessions directory/);
  await client.call("sendUserMessage", { conversationId, items: userText("hi") });
  await client.until("codex/event/task_complete");
});

test("an invalid cursor returns an empty page", async () => {
  await using server = await startAppServer();
  const client = server.connect();
  await initialize(client);

  expect(await client.call("listConversations", { cursor: "nonsense" })).toEqual({ items: [] });
});
