import { expect, test } from "vitest";
import { calls, says } from "../support/model.js";
import { begin, say, startAppServer } from "./methods/thread.js";

const spawn = (name: string, message = "find it", more: object = {}) =>
  calls2("spawn_agent", { task_name: name, message, fork_turns: "none", ...more }, `s_${name}`);
const calls2 = (name: string, args: unknown, id: string) => [
  { call: name, args, call_id: id, namespace: "collaboration" },
];
void calls;

test("a helper agent answers its parent, and clients follow both threads", async () => {
  await using server = await startAppServer({
    config: { model: "gpt-6-sol" },
    model: {
      answers: [spawn("look_up"), calls2("wait_agent", { timeout_ms: 10_000 }, "w1"), says("done")],
      agents: { "/root/look_up": [says("CHILD ANSWER 42")] },
    },
  });
  const client = server.connect();
  const threadId = await begin(client);
  await say(client, threadId, "use a helper");
  await client.until("turn/completed");
  await client.until("turn/completed");

  console.log(
    client.heard
      .map(({ method, params }) => JSON.stringify({ method, params }).slice(0, 260))
      .join("\n"),
  );
  console.log(
    JSON.stringify(
      server.prompts.map((r) => r.input.slice(-2)),
      null,
      1,
    ),
  );
  expect(1).toBe(1);
});
