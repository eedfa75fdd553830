import { expect, test } from "vitest";
import { talk } from "./support.js";
import { begin, startAppServer, told } from "./thread.js";

const verdict = JSON.stringify({
  findings: [],
  overall_correctness: "good",
  overall_explanation: "All is well.",
  overall_confidence_score: 0.9,
});

test("an inline review is a turn with its target and its result", async () => {
  await using server = await startAppServer({ model: [[{ message: verdict }]] });
  const client = server.connect();
  const threadId = await begin(client);

  const target = { type: "commit", sha: "1234567890", title: "Fix" };
  const started = await client.call("review/start", { threadId, target });
  await client.until("turn/completed");

  expect(started).toMatchObject({
    reviewThreadId: threadId,
    turn: {
      status: "inProgress",
      items: [{ type: "userMessage", content: [{ text: "commit 1234567: Fix" }] }],
    },
  });
  expect(told(client)).toEqual(
    expect.arrayContaining(["item/completed enteredReviewMode", "item/completed exitedReviewMode"]),
  );
});

test("a detached review runs in a fork, which is announced first", async () => {
  await using server = await startAppServer({
    model: [[{ message: "One." }], [{ message: verdict }]],
  });
  const client = server.connect();
  const threadId = await begin(client);
  await talk(client, threadId, "first");

  const started = (await client.call("review/start", {
    threadId,
    delivery: "detached",
    target: { type: "uncommittedChanges" },
  })) as { reviewThreadId: string };
  const copy = await client.until("thread/started");
  const { params } = await client.until("turn/completed");

  expect(started.reviewThreadId).not.toBe(threadId);
  expect(copy.params).toMatchObject({ thread: { id: started.reviewThreadId, preview: "first" } });
  expect(params).toMatchObject({ threadId: started.reviewThreadId });
});

test("a review without a target is rejected", async () => {
  await using server = await startAppServer();
  const client = server.connect();
  const threadId = await begin(client);
  const refused = (target: object) =>
    client.call("review/start", { threadId, target }).catch((error) => error.message);

  expect([
    await refused({ type: "commit", sha: "\t", title: null }),
    await refused({ type: "baseBranch", branch: " " }),
    await refused({ type: "custom", instructions: "\n\n" }),
  ]).toEqual([
    "sha must not be empty",
    "branch must not be empty",
    "instructions must not be empty",
  ]);
});
