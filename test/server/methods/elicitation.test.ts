import { expect, test } from "vitest";
import { calls, says } from "../../support/model.js";
import { talk } from "./support.js";
import { initialize, startAppServer, startThread } from "./thread.js";

test("while a client asks the user, calls wait for their commands beyond their time", async () => {
  const command = { cmd: "sleep 0.6; echo done", yield_time_ms: 250 };
  const config = { sandbox_mode: "danger-full-access", approval_policy: "never", model: "gpt-5.5" };
  const model = [calls("exec_command", command), says("Hi.")];
  await using server = await startAppServer({ model, config });
  const client = server.connect();
  await initialize(client, { experimentalApi: true });
  const threadId = await startThread(client);
  const change = (step: string) => client.call(`thread/${step}_elicitation`, { threadId });

  expect(await change("increment")).toEqual({ count: 1, paused: true });
  expect(await change("increment")).toEqual({ count: 2, paused: true });
  expect(await change("decrement")).toEqual({ count: 1, paused: true });
  await talk(client, threadId, "go");
  expect(await change("decrement")).toEqual({ count: 0, paused: false });
  await expect(change("decrement")).rejects.toThrow("elicitation count is already zero");

  // Otherwise the model would answer while the command is still running.
  const completed = client.heard.filter(({ method }) => method === "item/completed");
  expect(completed.map(({ params }) => (params as { item: { type: string } }).item.type)).toEqual([
    "userMessage",
    "commandExecution",
    "agentMessage",
  ]);
});
