import { expect, test } from "vitest";
import { initialize, startAppServer } from "../../support/app-server.js";
import { calls, says } from "../../support/model.js";
import type { TestClient, TestServer } from "../../support/server.js";

/** Fields of the results, as far as the tests read them. */
interface Result {
  thread: { id: string };
  turn: { id: string };
  queuedSubmission: { id: string };
  data: unknown[];
  nextCursor: string;
}

/** The first answer runs until the test writes the file. */
const waits = calls("exec_command", { cmd: "until [ -e go ]; do sleep 0.02; done" });

test("queued input is edited, and starts one turn each in its order", async () => {
  const model = [waits, says("0"), says("1"), says("2")];
  await using server = await startAppServer({ model });
  const { client, threadId, queue, add } = await busyThread(server);

  const [a, b, c] = [await add("A"), await add("B"), await add("C")];
  const changed = await queue("update", { queuedSubmissionId: a, input: text("A changed") });
  await queue("reorder", { queuedSubmissionIds: [c, a, b] });
  const removed = [
    await queue("delete", { queuedSubmissionId: b }),
    await queue("delete", { queuedSubmissionId: b }),
  ];
  const page = await queue("list", { limit: 1 });
  const rest = await queue("list", { cursor: page.nextCursor });
  await release(client, threadId);
  const messages = [await userMessage(client), await userMessage(client)];
  await client.until("turn/completed");

  expect(changed.queuedSubmission).toMatchObject({ id: a, clientUserMessageId: "m-A" });
  expect(removed).toEqual([{ deleted: true }, { deleted: false }]);
  expect(page).toMatchObject({ data: [{ id: c }], nextCursor: "1" });
  expect(rest).toMatchObject({ data: [{ id: a, input: [{ text: "A changed" }] }] });
  expect(messages).toMatchObject([
    { clientId: "m-C", content: [{ text: "C" }] },
    { clientId: "m-A", content: [{ text: "A changed" }] },
  ]);
});

test("after an interrupt the queue waits until it is started", async () => {
  await using server = await startAppServer({ model: [waits, says("1")] });
  const { client, threadId, queue, add } = await busyThread(server);
  await add("A");

  const running = queue("start");
  await expect(running).rejects.toThrow("thread already has an active or pending turn");
  await client.call("turn/interrupt", { threadId, turnId: client.turnId });
  await client.until("turn/completed");
  const held = await queue("list");
  const { turn } = await queue("start");
  const ended = await client.until("turn/completed");
  const empty = queue("start");

  expect(held.data).toHaveLength(1);
  expect(ended.params).toMatchObject({ turn: { id: turn.id, status: "completed" } });
  await expect(empty).rejects.toThrow("queue is empty");
});

test.each([
  ["add", { input: [], clientUserMessageId: "x" }, "only user input can be added"],
  ["update", { queuedSubmissionId: "nope", input: [] }, "queued submission not found: nope"],
  ["reorder", { queuedSubmissionIds: ["nope"] }, "must include every queued submission exactly"],
  ["start", { queuedSubmissionId: "nope" }, "queued submission not found: nope"],
  ["list", { cursor: "junk" }, "invalid queue pagination cursor"],
])("thread/queue/%s with %j is refused", async (method, params, message) => {
  await using server = await startAppServer();
  const client = server.connect();
  await initialize(client, { experimentalApi: true });
  const { thread } = (await client.call("thread/start", {})) as Result;

  const call = client.call(`thread/queue/${method}`, { threadId: thread.id, ...params });

  await expect(call).rejects.toThrow(message);
});

async function busyThread(server: TestServer) {
  const client = Object.assign(server.connect(), { turnId: "" });
  await initialize(client, { experimentalApi: true });
  const { thread } = (await client.call("thread/start", {})) as Result;
  const threadId: string = thread.id;
  const started = await client.call("turn/start", { threadId, input: text("begin") });
  client.turnId = (started as Result).turn.id;
  await client.until("item/completed");
  const queue = (method: string, params: object = {}) =>
    client.call(`thread/queue/${method}`, { threadId, ...params }) as Promise<Result>;
  const add = async (word: string): Promise<string> => {
    const params = { input: text(word), clientUserMessageId: `m-${word}` };
    return (await queue("add", params)).queuedSubmission.id;
  };
  return { client, threadId, queue, add };
}

async function release(client: TestClient, threadId: string): Promise<void> {
  await client.call("thread/shellCommand", { threadId, command: "touch go" });
}

async function userMessage(client: TestClient): Promise<unknown> {
  for (;;) {
    const { params } = await client.until("item/completed");
    const { item } = params as { item: { type: string } };
    if (item.type === "userMessage") return item;
  }
}

function text(words: string): object[] {
  return [{ type: "text", text: words }];
}
