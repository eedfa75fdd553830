import { expect, test } from "vitest";
import type { Step } from "../../../src/model/scripted/index.js";
import { calls, says } from "../../support/model.js";
import { talk } from "../methods/support.js";
import { begin, startAppServer } from "../methods/thread.js";
import { decides, isMade, outputs, paramsOf, startReviewed, touch } from "./reviewed.js";

const usage = {
  input_tokens: 100,
  input_tokens_details: { cached_tokens: 20 },
  output_tokens: 30,
  output_tokens_details: { reasoning_tokens: 5 },
  total_tokens: 130,
};

/** An answer of 130 tokens, 110 of which budgets count. */
const costs = (steps: Step[]): Step[] => [...steps, { completed: true, usage }];

const prices = { m: { input: 1000, cached_input: 500, output: 2000 } };
/** (80 * 1000 + 20 * 500 + 30 * 2000) / 1,000,000. */
const costOfAnswer = 0.15;

test("tokens of the automatic reviewer count in `usage/read` and in budgets", async () => {
  await using reviewed = await startReviewed(
    [
      costs(touch("made")),
      costs(decides("allow")),
      costs(says("Done.")),
      costs(says("Not reached.")),
    ],
    { config: { model: "m", model_prices: prices, budget: { thread: { tokens: 330 } } } },
  );
  const { server, client, threadId } = reviewed;

  await talk(client, threadId, "go");
  const read = (await client.call("usage/read", { by: "model", threadId })) as {
    rows: unknown[];
  };
  await talk(client, threadId, "again");

  expect(read.rows).toEqual([
    {
      key: "m",
      responses: 3,
      inputTokens: 300,
      cachedInputTokens: 60,
      outputTokens: 90,
      reasoningOutputTokens: 15,
      totalTokens: 390,
      cost: expect.closeTo(3 * costOfAnswer, 10),
      unpricedModels: [],
    },
  ]);
  // The next turn reads what the thread has used from its log.
  expect(server.prompts).toHaveLength(3);
  expect(JSON.stringify(paramsOf(client, "error"))).toContain("330 tokens of 330 tokens");
});

test("the reviewer is not asked again if the budget is used up", async () => {
  await using reviewed = await startReviewed(
    [costs(touch("made")), costs(calls("shell", { command: ["ls"] })), says("Not reached.")],
    { config: { model: "m", budget: { turn: { tokens: 200 } } } },
  );
  const { server, client, threadId } = reviewed;

  await talk(client, threadId, "go");

  expect(server.prompts).toHaveLength(2);
  expect(JSON.stringify(paramsOf(client, "error"))).toContain("220 tokens of 200 tokens");
});

test("a price that is not known stays unknown, for all groups that it is part of", async () => {
  await using server = await startAppServer({
    model: [costs(says("One.")), costs(says("Two."))],
    config: { model: "m", model_prices: prices },
  });
  const client = server.connect();
  const threadId = await begin(client);
  await talk(client, threadId, "go");
  await client.call("thread/settings/update", { threadId, model: "gpt-99" });
  await talk(client, threadId, "again");

  const read = (by: string) => client.call("usage/read", { by });

  expect(await read("model")).toMatchObject({
    rows: [
      { key: "gpt-99", cost: null, unpricedModels: ["gpt-99"] },
      { key: "m", cost: expect.closeTo(costOfAnswer, 10), unpricedModels: [] },
    ],
    total: { responses: 2, totalTokens: 260, cost: null, unpricedModels: ["gpt-99"] },
  });
  expect(await read("thread")).toMatchObject({ rows: [{ key: threadId, cost: null }] });
});

test("a denial can be overruled after a resume, and then passes once", async () => {
  await using reviewed = await startReviewed([
    touch("made", "c1"),
    decides("deny"),
    says("Denied."),
    touch("made", "c2"),
    touch("made", "c3"),
    decides("deny"),
    says("Done."),
  ]);
  const { server, client, threadId } = reviewed;
  const resume = async () => {
    await server.server.threads.get(threadId).close();
    client.heard.length = 0;
    await client.call("thread/resume", { threadId, excludeTurns: true });
  };
  const approve = (id: unknown) =>
    client.call("thread/approveGuardianDeniedAction", {
      threadId,
      event: { id, status: "denied" },
    });
  await talk(client, threadId, "go");
  const [denied] = paramsOf(client, "item/autoApprovalReview/completed");

  await resume();
  const { params } = await client.until("item/autoApprovalReview/completed");
  expect(params).toEqual(denied);
  await approve(denied?.reviewId);
  // An approval that was not used is forgotten, but can be given again.
  await resume();
  await approve(denied?.reviewId);
  await expect(approve(denied?.reviewId)).rejects.toThrow("approved already");
  await talk(client, threadId, "again");

  expect(isMade(server, "made")).toBe(true);
  expect(outputs(server).at(-1)).toContain("The automatic reviewer denied");
  await resume();
  await expect(approve(denied?.reviewId)).rejects.toThrow("approved already");
  const { params: second } = await client.until("item/autoApprovalReview/completed");
  expect(second).toMatchObject({ targetItemId: "c3" });
});

test("the policy of the config and of the administrator reaches the reviewer", async () => {
  const config = { auto_review: { policy: "Deny what touches files." } };
  const instructions = async (requirements?: string) => {
    await using reviewed = await startReviewed([touch("made"), decides("deny"), says("Done.")], {
      config,
      ...(requirements === undefined ? {} : { requirements }),
    });
    const { server, client, threadId } = reviewed;
    await talk(client, threadId, "go");
    return server.prompts[1]?.instructions;
  };

  expect(await instructions()).toMatch(/\n## Policy\n[\s\S]*\nDeny what touches files\.$/);
  const ofOwner = await instructions('guardian_policy_config = "Allow nothing."\n');
  expect(ofOwner).toMatch(/\nAllow nothing\.$/);
  expect(ofOwner).not.toContain("Deny what touches files.");
});

test("a grant with `strictAutoReview` has every later command of the turn reviewed", async () => {
  const list = (id: string) => calls("shell", { command: ["ls"] }, id);
  const network = { permissions: { network: { enabled: true } }, reason: "download" };
  await using server = await startAppServer({
    model: [
      list("before"),
      calls("request_permissions", network, "n1"),
      list("allowed"),
      decides("allow"),
      list("denied"),
      decides("deny"),
      says("Done."),
      list("next turn"),
      says("Done."),
    ],
    config: { approval_policy: "on-request", features: { request_permissions_tool: true } },
  });
  const asked: string[] = [];
  const client = server.connect(({ method }) => {
    asked.push(method);
    return { permissions: { network: { enabled: true } }, scope: "turn", strictAutoReview: true };
  });
  const threadId = await begin(client);

  await talk(client, threadId, "go");
  await talk(client, threadId, "again");

  expect(asked).toEqual(["item/permissions/requestApproval"]);
  const reviews = paramsOf(client, "item/autoApprovalReview/completed");
  expect(reviews.map(({ targetItemId, review }) => [targetItemId, review])).toEqual([
    ["allowed", expect.objectContaining({ status: "approved" })],
    ["denied", expect.objectContaining({ status: "denied" })],
  ]);
  const statuses = paramsOf(client, "item/completed").flatMap(({ item }) => {
    const { type, status } = item as { type: string; status: string };
    return type === "commandExecution" ? [status] : [];
  });
  expect(statuses).toEqual(["completed", "completed", "declined", "completed"]);
});
