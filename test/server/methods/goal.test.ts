import { expect, test } from "vitest";
import { initialize, startAppServer } from "../../support/app-server.js";
import { calls, fails, says } from "../../support/model.js";
import type { TestClient } from "../../support/server.js";

type Opened = { thread: { id: string } };

test.each([
  ["the user", { config: { "features.goals": false } }],
  ["the administrator", { requirements: "[features]\ngoals = false\n" }],
])("a goal is refused if %s disables goals", async (_, options) => {
  await using server = await startAppServer(options);
  const client = server.connect();
  const threadId = await begin(client);

  await expect(goalsOf(client, threadId)("set", { objective: "Ship it" })).rejects.toThrow(
    "goals feature is disabled",
  );
});

test("clients of 0.104 have no goals, which came later", async () => {
  await using server = await startAppServer({ era: "0.104" });
  const client = server.connect();
  const threadId = await begin(client);

  for (const method of ["set", "get", "clear"] as const) {
    await expect(goalsOf(client, threadId)(method, { objective: "Ship it" })).rejects.toThrow(
      `unknown variant \`thread/goal/${method}\``,
    );
  }
});

test("[clients 6] a goal starts turns, and all clients are notified of changes", async () => {
  const model = [says("One."), calls("update_goal", { status: "complete" }), says("Two.")];
  await using server = await startAppServer({ model });
  const [client, other] = [server.connect(), server.connect()];
  const threadId = await begin(client);
  await initialize(other);
  const goal = goalsOf(client, threadId);

  const none = await goal("get");
  const set = await goal("set", { objective: "Ship it", tokenBudget: 1000 });
  const told = await other.until("thread/goal/updated");
  await client.until("turn/completed");
  await client.until("turn/completed");
  const done = await goal("get");
  await goal("set", { status: "paused", tokenBudget: null });
  const paused = await goal("get");
  const cleared = [await goal("clear"), await goal("clear")];
  await other.until("thread/goal/cleared");

  const seconds = expect.any(Number);
  const wanted = {
    threadId,
    objective: "Ship it",
    status: "active",
    tokenBudget: 1000,
    tokensUsed: 0,
    timeUsedSeconds: 0,
    createdAt: seconds,
    updatedAt: seconds,
  };
  expect(none).toEqual({ goal: null });
  expect(set).toEqual({ goal: wanted });
  expect(told.params).toEqual({ threadId, turnId: null, goal: wanted });
  expect(done).toMatchObject({ goal: { status: "complete" } });
  expect(paused).toMatchObject({ goal: { status: "paused", tokenBudget: null } });
  expect(cleared).toEqual([{ cleared: true }, { cleared: false }]);
});

test("the goal of a thread that is not loaded can be read, set and cleared", async () => {
  await using server = await startAppServer({ model: [says("Hi."), fails(400)] });
  const client = server.connect();
  const threadId = await begin(client);
  await client.call("turn/start", { threadId, input: [{ type: "text", text: "hello" }] });
  await client.until("turn/completed");
  await client.call("thread/archive", { threadId });
  await client.call("thread/unarchive", { threadId });
  const goal = goalsOf(client, threadId);

  const none = await goal("get");
  const set = await goal("set", { objective: "later" });
  const read = await goal("get");
  await client.call("thread/resume", { threadId, excludeTurns: true });
  const failed = await client.until("turn/completed");
  await client.call("thread/archive", { threadId });
  const blocked = await goal("get");
  const cleared = [await goal("clear"), await goal("clear")];
  const unknown = goalsOf(client, threadId.replace(/^.{8}/, "00000000"))("get");

  expect(none).toEqual({ goal: null });
  expect(set).toMatchObject({ goal: { objective: "later", status: "active" } });
  expect(read).toEqual(set);
  expect(failed).toMatchObject({ params: { turn: { status: "failed" } } });
  expect(blocked).toMatchObject({ goal: { status: "blocked" } });
  expect(cleared).toEqual([{ cleared: true }, { cleared: false }]);
  await expect(unknown).rejects.toThrow("thread not found: 00000000");
});

test("a copy of a thread has its goal, paused, and not its queue", async () => {
  await using server = await startAppServer({
    model: [calls("exec_command", { cmd: "sleep 60" })],
  });
  const client = server.connect();
  const threadId = await begin(client);
  await goalsOf(client, threadId)("set", { objective: "go" });
  await client.until("turn/started");
  const input = [{ type: "text", text: "next" }];
  await client.call("thread/queue/add", { threadId, input, clientUserMessageId: "m-1" });

  const { thread } = (await client.call("thread/fork", { threadId })) as Opened;
  const copied = await goalsOf(client, thread.id)("get");
  const queue = await client.call("thread/queue/list", { threadId: thread.id });
  const original = await client.call("thread/queue/list", { threadId });

  expect(copied).toMatchObject({
    goal: { threadId: thread.id, objective: "go", status: "paused" },
  });
  expect(queue).toMatchObject({ data: [] });
  expect(original).toMatchObject({ data: [{ clientUserMessageId: "m-1" }] });
});

function goalsOf(client: TestClient, threadId: string) {
  return (method: string, params: object = {}) =>
    client.call(`thread/goal/${method}`, { threadId, ...params });
}

async function begin(client: TestClient): Promise<string> {
  await initialize(client, { experimentalApi: true });
  const { thread } = (await client.call("thread/start", {})) as Opened;
  return thread.id;
}
