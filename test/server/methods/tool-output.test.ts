import { expect, test } from "vitest";
import type { ThreadItem } from "../../../src/protocol/rpc/v2/item.js";
import type { TestClient } from "../../support/server.js";
import type { Page } from "./support.js";
import { initialize, startAppServer, startThread } from "./thread.js";

const answers = ["One.", "Two.", "Three."].map((message) => [{ message }]);

async function begin(client: TestClient) {
  await initialize(client, { experimentalApi: true });
  const threadId = await startThread(client);
  const send = async (toolOutput: object, input: object[] = []) => {
    await client.call("turn/start", { threadId, input, toolOutput });
    await client.until("turn/completed");
  };
  return { threadId, send };
}

test("the output of a client's tool starts a turn, is an item, and stays in the conversation", async () => {
  await using server = await startAppServer({ model: answers });
  const client = server.connect();
  const { threadId, send } = await begin(client);

  const parts = [{ type: "input_text", text: "43" }];
  await send({ name: "look", namespace: "ns", output: "42" });
  await send({ name: "look", output: parts });
  const list = (await client.call("thread/items/list", { threadId })) as Page<{ item: ThreadItem }>;

  const items = list.data.flatMap(({ item }) => (item.type === "functionCallOutput" ? [item] : []));
  expect(items).toMatchObject([
    { id: expect.stringMatching(/^fco_/), name: "look", namespace: "ns", output: "42" },
    { name: "look", namespace: null, output: parts },
  ]);
  expect(server.prompts[1]?.input.filter(({ type }) => type === "function_call_output")).toEqual([
    { type: "function_call_output", name: "look", namespace: "ns", output: "42" },
    { type: "function_call_output", name: "look", output: parts },
  ]);
});

test("a compaction keeps the output that is to be retained", async () => {
  await using server = await startAppServer({ model: answers });
  const client = server.connect();
  const { threadId, send } = await begin(client);
  await send({ name: "lost", output: "1" });
  await send({ name: "kept", output: "2", retain: true });

  await client.call("thread/compact/start", { threadId });
  await client.until("turn/completed");
  await client.call("turn/start", { threadId, input: [{ type: "text", text: "next" }] });
  await client.until("turn/completed");

  const sent = JSON.stringify(server.prompts.at(-1)?.input);
  expect([sent.includes("kept"), sent.includes("lost")]).toEqual([true, false]);
});

test.each([
  [{ name: "x", output: "y" }, [{ type: "text", text: "z" }], "cannot be combined with nonempty"],
  [{ name: "", output: "y" }, [], "`toolOutput.name` must not be empty"],
  [{ output: "y" }, [], "missing field `name`"],
])("%j with the input %j is refused", async (toolOutput, input, message) => {
  await using server = await startAppServer();
  const { send } = await begin(server.connect());

  await expect(send(toolOutput, input)).rejects.toThrow(message);
});
