import { expect, test } from "vitest";
import { connectQueues } from "../../src/client/index.js";
import type { EventMsg } from "../../src/protocol/types.js";
import { serveQueues } from "../../src/server/sqeq/serve.js";
import { linkedChannels } from "../../src/transport/index.js";
import { says } from "../support/model.js";
import { startTestServer } from "../support/server.js";

test("[documents D13] a typed client submits ops and reads events", async () => {
  await using server = await startTestServer({ serve: async () => {}, model: [says("hello")] });
  const [near, far] = linkedChannels();
  const serving = serveQueues(far, {
    parts: server.parts,
    startSession: true,
    events: "standard",
    signal: new AbortController().signal,
    endOfInput: "the client left",
  });
  const client = await connectQueues(near);

  const id = client.submit({ type: "user_input", items: [{ type: "text", text: "hi" }] });
  const heard: EventMsg["type"][] = [];
  let answer: string | undefined;
  for await (const event of client.events) {
    if (event.id === id) heard.push(event.msg.type);
    if (event.msg.type === "agent_message") answer = event.msg.message;
    if (event.msg.type === "task_complete") client.submit({ type: "shutdown" });
  }
  await client.close();
  await serving;

  expect(answer).toBe("hello");
  expect(heard.at(-1)).toBe("task_complete");
});

test("[documents D13] malformed events are skipped and reported", async () => {
  const [near, far] = linkedChannels();
  const faults: unknown[] = [];
  const client = await connectQueues(near, { onFault: (error) => faults.push(error) });

  far.send({ id: "1" });
  far.send({ id: "1", msg: { type: "agent_message", message: "hi" } });
  far.send({ id: "1", msg: { type: "of_tomorrow" } });
  void far.close();
  const types: string[] = [];
  for await (const { msg } of client.events) types.push(msg.type);

  expect(types).toEqual(["agent_message", "of_tomorrow"]);
  expect(faults).toHaveLength(1);
});
