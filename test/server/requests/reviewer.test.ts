import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ThreadStartResponse } from "../../../src/protocol/rpc/v2/thread-start.js";
import { talk } from "../methods/support.js";
import { begin, initialize, say, startAppServer } from "../methods/thread.js";

const touch = {
  model: [
    [{ call: "shell", args: { command: ["touch", "made.txt"] }, call_id: "c1" }],
    [{ message: "Done." }],
    [{ message: "Again." }],
  ],
  config: { approval_policy: "untrusted" },
};

test("[clients 1] `auto_review` is accepted and echoed wherever a reviewer can be set", async () => {
  await using server = await startAppServer({
    model: [[{ message: "One." }], [{ message: "Two." }]],
  });
  const client = server.connect();
  await initialize(client);
  const call = (method: string, params: object) =>
    client.call(method, params) as Promise<ThreadStartResponse>;
  const updated = async () => {
    const { params } = await client.until("thread/settings/updated");
    return (params as { threadSettings: ThreadStartResponse }).threadSettings.approvalsReviewer;
  };

  const started = await call("thread/start", { approvalsReviewer: "auto_review" });
  const legacy = await call("thread/start", { approvalsReviewer: "guardian_subagent" });
  const configured = await call("thread/start", { config: { approvals_reviewer: "auto_review" } });
  const threadId = started.thread.id;
  const input = [{ type: "text", text: "go" }];
  await client.call("turn/start", { threadId, input, approvalsReviewer: "user" });
  const byTurn = await updated();
  await client.until("turn/completed");
  await client.call("thread/settings/update", { threadId, approvalsReviewer: "auto_review" });
  const bySettings = await updated();
  await talk(client, threadId, "again");
  const resumed = await call("thread/resume", { threadId });
  const forked = await call("thread/fork", { threadId });
  const changed = await call("thread/fork", { threadId, approvalsReviewer: "user" });

  expect([started, legacy, configured].map((opened) => opened.approvalsReviewer)).toEqual([
    "auto_review",
    "auto_review",
    "auto_review",
  ]);
  expect([byTurn, bySettings]).toEqual(["user", "auto_review"]);
  expect([resumed, forked, changed].map((opened) => opened.approvalsReviewer)).toEqual([
    "auto_review",
    "auto_review",
    "user",
  ]);
});

test("[clients 1] before 0.166 there is no automatic reviewer and the user is asked", async () => {
  await using server = await startAppServer({ ...touch, era: "0.104" });
  const asked: string[] = [];
  const client = server.connect(({ method }) => {
    asked.push(method);
    return { decision: "accept" };
  });
  const threadId = await begin(client, { approvalsReviewer: "auto_review" });

  await say(client, threadId, "go");
  await client.until("turn/completed");

  expect(asked).toEqual(["item/commandExecution/requestApproval"]);
  expect(existsSync(join(server.workspace, "made.txt"))).toBe(true);
  expect(server.prompts).toHaveLength(2);
});

test("[clients 1] a request that no client can review is declined with a warning", async () => {
  await using server = await startAppServer(touch);
  const client = server.connect(() => new Promise(() => undefined));
  const threadId = await begin(client, { approvalsReviewer: "auto_review" });
  await say(client, threadId, "go");
  await client.until("item/autoApprovalReview/completed");

  await client.call("thread/unsubscribe", { threadId });
  const thread = server.server.threads.get(threadId);
  await expect.poll(() => thread.isBusy).toBe(false);
  const opened = await client.call("thread/resume", { threadId, excludeTurns: true, after: 0 });
  const { params } = await client.until("warning");

  expect(opened).toMatchObject({ approvalsReviewer: "auto_review" });
  expect(params).toEqual({
    threadId,
    message:
      "An approval request was declined: the automatic reviewer came to no decision, and no " +
      "client is subscribed to be asked instead.",
  });
  expect(existsSync(join(server.workspace, "made.txt"))).toBe(false);
});
