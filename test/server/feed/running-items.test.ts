import { expect, test } from "vitest";
import type { Step } from "../../../src/model/scripted/index.js";
import { initialize, startAppServer } from "../../support/app-server.js";
import { calls, hangs, says } from "../../support/model.js";

test("a client that resumes a running thread gets the content so far, if it asks for it", async () => {
  const plan = { plan: [{ step: "Look", status: "in_progress" }] };
  const item = { type: "message", role: "assistant", id: "m1", content: [] };
  const delta = (text: string) => ({
    type: "response.output_text.delta",
    item_id: "m1",
    delta: text,
  });
  const half: Step[] = [
    { type: "response.output_item.added", item },
    delta("Half "),
    delta("an answer"),
  ];
  await using server = await startAppServer({ model: [calls("update_plan", plan), hangs(half)] });
  const [first, second, third] = [server.connect(), server.connect(), server.connect()];
  await initialize(first, { runningItems: true });
  await initialize(second, { runningItems: true });
  await initialize(third);
  const { thread } = (await first.call("thread/start", {})) as { thread: { id: string } };
  const threadId = thread.id;
  await first.call("turn/start", { threadId, input: [{ type: "text", text: "go" }] });
  await first.until("item/agentMessage/delta");
  await first.until("item/agentMessage/delta");

  await second.call("thread/resume", { threadId, excludeTurns: true });
  await third.call("thread/resume", { threadId, excludeTurns: true });
  const started = await second.until("item/started");
  const planned = await second.until("turn/plan/updated");

  expect(started.params).toMatchObject({
    threadId,
    item: { type: "agentMessage", text: "Half an answer" },
  });
  expect(planned.params).toMatchObject({ plan: [{ step: "Look", status: "inProgress" }] });
  expect(third.heard.map(({ method }) => method)).not.toContain("item/started");
});

test("a message that was cut off with its turn is there for clients that come later", async () => {
  const item = { type: "message", role: "assistant", id: "m1", content: [] };
  const half: Step[] = [
    { type: "response.output_item.added", item },
    { type: "response.output_text.delta", item_id: "m1", delta: "Half an answer" },
  ];
  await using server = await startAppServer({ model: [hangs(half), says("All of it.")] });
  const [first, second] = [server.connect(), server.connect()];
  await initialize(first, { runningItems: true });
  await initialize(second, { runningItems: true });
  const { thread } = (await first.call("thread/start", {})) as { thread: { id: string } };
  const threadId = thread.id;
  const start = () =>
    first.call("turn/start", { threadId, input: [{ type: "text", text: "go" }] }) as Promise<{
      turn: { id: string };
    }>;
  const { turn } = await start();
  await first.until("item/agentMessage/delta");
  await first.call("turn/interrupt", { threadId, turnId: turn.id });
  await first.until("turn/completed");
  await start();
  await first.until("turn/completed");

  await second.call("thread/resume", { threadId, excludeTurns: true });
  const started = await second.until("item/started");

  expect(started.params).toMatchObject({
    turnId: turn.id,
    item: { type: "agentMessage", text: "Half an answer" },
  });
  expect(second.heard.filter(({ method }) => method === "item/started")).toHaveLength(1);
});
