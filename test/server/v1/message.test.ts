import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { begin, eventsOf, initialize, startAppServer, userText } from "./conversation.js";

test("the reply to a message precedes the events of its turn", async () => {
  await using server = await startAppServer({ model: [[{ message: "Hello." }]] });
  const client = server.connect();
  const { conversationId } = await begin(client);

  const answer = await client.call("sendUserMessage", { conversationId, items: userText("hi") });
  const heardByThen = [...client.heard];
  const { params } = await client.until("codex/event/task_complete");

  expect(answer).toEqual({});
  expect(heardByThen).toEqual([]);
  expect(params).toMatchObject({
    id: "0",
    conversationId,
    msg: { type: "task_complete", last_agent_message: "Hello." },
  });
});

test("snake_case names and items without data are accepted", async () => {
  await using server = await startAppServer({ model: [[{ message: "Hello." }]] });
  const client = server.connect();
  const { conversationId } = await begin(client);

  const items = [{ type: "text", text: "hi" }];
  await client.call("sendUserMessage", { conversation_id: conversationId, items });

  await client.until("codex/event/task_complete");
});

test("two subscriptions of one client receive each event once", async () => {
  await using server = await startAppServer({ model: [[{ message: "Hello." }]] });
  const client = server.connect();
  const { conversationId } = await begin(client);
  await client.call("addConversationListener", { conversationId });

  await client.call("sendUserMessage", { conversationId, items: userText("hi") });
  await client.until("codex/event/task_complete");

  expect(eventsOf(client).filter((type) => type === "task_started")).toHaveLength(1);
});

test("all listening clients receive the same events", async () => {
  await using server = await startAppServer({ model: [[{ message: "Hello." }]] });
  const [first, second] = [server.connect(), server.connect()];
  const { conversationId } = await begin(first);
  await initialize(second);
  await second.call("addConversationListener", { conversationId });

  await first.call("sendUserMessage", { conversationId, items: userText("hi") });
  await Promise.all([
    first.until("codex/event/task_complete"),
    second.until("codex/event/task_complete"),
  ]);

  expect(second.heard).toEqual(first.heard);
});

test("a disconnect does not affect other clients", async () => {
  await using server = await startAppServer({ model: [[{ message: "Hello." }]] });
  const [first, second] = [server.connect(), server.connect()];
  const { conversationId } = await begin(first);
  await initialize(second);
  await second.call("addConversationListener", { conversationId });

  await first.close();
  await second.call("sendUserMessage", { conversationId, items: userText("hi") });

  await second.until("codex/event/task_complete");
});

test("missed events are sent to the first listener", async () => {
  await using server = await startAppServer({ model: [[{ message: "Hello." }]] });
  const client = server.connect();
  await initialize(client);
  const { conversationId } = (await client.call("newConversation", {})) as never;
  await client.call("sendUserMessage", { conversationId, items: userText("hi") });
  await client.call("addConversationListener", { conversationId });

  await client.until("codex/event/task_complete");

  expect(eventsOf(client)).toContain("task_started");
});

test("a removed subscription receives nothing and cannot be removed again", async () => {
  await using server = await startAppServer({ model: [[{ message: "Hello." }]] });
  const [client, witness] = [server.connect(), server.connect()];
  const { conversationId } = await begin(witness);
  await initialize(client);
  const { subscriptionId } = (await client.call("addConversationListener", {
    conversationId,
  })) as { subscriptionId: string };

  await client.call("removeConversationListener", { subscriptionId });
  await client.call("sendUserMessage", { conversationId, items: userText("hi") });
  await witness.until("codex/event/task_complete");

  expect(client.heard).toEqual([]);
  await expect(client.call("removeConversationListener", { subscriptionId })).rejects.toThrow(
    `subscription not found: ${subscriptionId}`,
  );
});

test("an interrupt is answered when the turn has ended", async () => {
  await using server = await startAppServer({
    model: [[{ call: "shell", args: { command: ["sleep", "60"] } }]],
  });
  const client = server.connect();
  const { conversationId } = await begin(client);
  await client.call("sendUserMessage", { conversationId, items: userText("wait a minute") });
  await client.until("codex/event/exec_command_begin");

  const answer = await client.call("interruptConversation", { conversationId });

  expect(answer).toEqual({ abortReason: "interrupted" });
  expect(eventsOf(client).at(-1)).toBe("turn_aborted");
});

test("an interrupt without a turn is answered at once", async () => {
  await using server = await startAppServer();
  const client = server.connect();
  const { conversationId } = await begin(client);

  const answer = await client.call("interruptConversation", { conversationId });

  expect(answer).toEqual({ abortReason: "interrupted" });
});

test("the settings of a turn persist", async () => {
  await using server = await startAppServer({
    model: [[{ message: "One." }], [{ message: "Two." }]],
  });
  const client = server.connect();
  const { conversationId, rolloutPath } = await begin(client);

  await client.call("sendUserTurn", {
    conversationId,
    items: userText("go"),
    cwd: server.home,
    approvalPolicy: "on-request",
    sandboxPolicy: { mode: "read-only" },
    model: "gpt-5-codex",
    effort: "low",
    summary: "concise",
  });
  await client.until("codex/event/task_complete");
  await client.call("sendUserMessage", { conversationId, items: userText("on") });
  await client.until("codex/event/task_complete");

  const settings = {
    cwd: server.home,
    approval_policy: "on-request",
    model: "gpt-5-codex",
    effort: "low",
    summary: "concise",
  };
  expect(await turnContexts(rolloutPath)).toMatchObject([settings, settings]);
});

async function turnContexts(path: string): Promise<unknown[]> {
  const lines = (await readFile(path, "utf8")).trimEnd().split("\n");
  return lines
    .map((line) => JSON.parse(line) as { type: string; payload: unknown })
    .filter(({ type }) => type === "turn_context")
    .map(({ payload }) => payload);
}

test.each([
  ["sendUserMessage", {}],
  [
    "sendUserTurn",
    {
      cwd: "/",
      approvalPolicy: "never",
      sandboxPolicy: { mode: "read-only" },
      model: "mock-model",
      summary: "auto",
    },
  ],
])("[documents D15] %s continues from a bookmark", async (method, settings) => {
  const model = [[{ message: "One." }], [{ message: "Two." }], [{ message: "Other." }]];
  await using server = await startAppServer({ model });
  const client = server.connect();
  const { conversationId } = await begin(client);
  const send = async (words: string, bookmark?: object) => {
    await client.call(method, { conversationId, items: userText(words), ...settings, ...bookmark });
    const { params } = await client.until("codex/event/task_complete");
    return (params as { msg: { response_id: string } }).msg.response_id;
  };

  const lastResponseId = await send("first");
  await send("second");
  await send("instead", { lastResponseId });

  const sent = JSON.stringify(server.prompts[2]?.input);
  expect(sent).toContain("One.");
  expect(sent).not.toContain("second");
});

test("[documents D15] an unknown bookmark of a message is an error event", async () => {
  await using server = await startAppServer();
  const client = server.connect();
  const { conversationId } = await begin(client);

  const items = userText("hi");
  await client.call("sendUserMessage", { conversationId, items, lastResponseId: "no_such" });
  const { params } = await client.until("codex/event/error");

  expect(params).toMatchObject({ msg: { message: expect.stringContaining("no_such") } });
});
