import { expect, test } from "vitest";
import { assertThreadId } from "../../src/server/connection.js";
import { begin, initialize, say, startAppServer } from "./methods/thread.js";

const uuid = "0199a213-81c0-7800-8aa1-bbab2a035a53";

test.each([uuid, uuid.toUpperCase(), uuid.replaceAll("-", ""), `urn:uuid:${uuid}`, `{${uuid}}`])(
  "the id %j is valid",
  (id) => {
    expect(() => assertThreadId(id)).not.toThrow();
  },
);

test.each([
  ["", "invalid length: expected length 32 for simple format, found 0"],
  ["abc", "invalid length: expected length 32 for simple format, found 3"],
  ["a-b", "invalid group count: expected 5, found 2"],
  [`${uuid}0`, "invalid group length in group 4: expected 12, found 13"],
  ["thread", "found `t` at 1"],
])("the id %j is rejected: %s", (id, problem) => {
  expect(() => assertThreadId(id)).toThrow(problem);
});

test("a client that subscribes twice receives each message once", async () => {
  await using server = await startAppServer({ model: [[{ message: "Hello." }]] });
  const client = server.connect();
  const threadId = await begin(client);
  await client.call("thread/resume", { threadId });

  await say(client, threadId, "hi");
  await client.until("turn/completed");

  const ends = client.heard.filter(({ method }) => method === "turn/completed");
  expect(ends.length).toBe(1);
});

test("`thread/unsubscribe` reports the state of the subscription", async () => {
  await using server = await startAppServer({ model: [] });
  const client = server.connect();
  const other = server.connect();
  await initialize(other);
  const threadId = await begin(client);
  const unsubscribe = (from: typeof client) => from.call("thread/unsubscribe", { threadId });

  expect(await unsubscribe(client)).toEqual({ status: "unsubscribed" });
  expect(await unsubscribe(client)).toEqual({ status: "notSubscribed" });
  expect(await unsubscribe(other)).toEqual({ status: "notSubscribed" });
});
