import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Step } from "../../../src/model/scripted/index.js";
import { command, trustHooks } from "../../support/hooks.js";
import { calls, fails, hangs, says } from "../../support/model.js";
import { talk } from "../methods/support.js";
import { say } from "../methods/thread.js";
import { decides, isMade, outputs, paramsOf, startReviewed, touch, writeRule } from "./reviewed.js";

describe("the automatic reviewer", () => {
  test("approves a command in the user's place, and logs only its decision and its tokens", async () => {
    await using reviewed = await startReviewed(
      [
        touch("made"),
        touch("spoiled"),
        // A rule lets the agent run it without a sandbox; the reviewer stays in its own.
        calls("shell", { command: ["cp", "source.txt", "spoiled.txt"] }, "r1"),
        decides("allow"),
        says("Done."),
      ],
      {},
      ({ home, workspace }) =>
        Promise.all([
          writeRule(home, 'prefix_rule(pattern = ["cp"], decision = "allow")'),
          writeFile(join(workspace, "source.txt"), ""),
        ]),
    );
    const { server, client, threadId, asked } = reviewed;

    const turnId = await talk(client, threadId, "please touch made.txt");

    expect(asked).toEqual([]);
    expect([isMade(server, "made"), isMade(server, "spoiled")]).toEqual([true, false]);
    const [started] = paramsOf(client, "item/autoApprovalReview/started");
    const [completed] = paramsOf(client, "item/autoApprovalReview/completed");
    const action = { type: "command", source: "shell", command: "touch made.txt" };
    const same = { threadId, turnId, reviewId: started?.reviewId, targetItemId: "made" };
    expect(started).toEqual({
      ...same,
      startedAtMs: expect.any(Number),
      review: { status: "inProgress", riskLevel: null, userAuthorization: null, rationale: null },
      action: { ...action, cwd: server.workspace },
    });
    expect(completed).toEqual({
      ...started,
      completedAtMs: expect.any(Number),
      decisionSource: "agent",
      review: {
        status: "approved",
        riskLevel: "medium",
        userAuthorization: "low",
        rationale: "Seems odd.",
      },
    });
    const methods = client.heard.map(({ method, params }) =>
      method === "item/started" ? (params as { item: { type: string } }).item.type : method,
    );
    expect(methods.indexOf("commandExecution")).toBeLessThan(
      methods.indexOf("item/autoApprovalReview/started"),
    );
    const [, question] = server.prompts;
    expect(question?.tools).toMatchObject([{ name: "exec_command" }]);
    expect(JSON.stringify(question?.input)).toContain("please touch made.txt");
    const { thread } = (await client.call("thread/read", { threadId })) as {
      thread: { path: string };
    };
    const log = await readFile(thread.path, "utf8");
    expect(log).not.toMatch(/read-only|spoiled/);
    expect(log.split("\n").filter((line) => line.includes("Seems odd"))).toEqual([
      expect.stringMatching(/"guardian_assessment".*"status":"approved"/),
    ]);
  });

  test("denies a command with a reason for the model", async () => {
    await using reviewed = await startReviewed([touch("made"), decides("deny"), says("Done.")], {
      era: "0.166",
    });
    const { server, client, threadId, asked } = reviewed;

    await talk(client, threadId, "go");

    expect([asked, isMade(server, "made")]).toEqual([[], false]);
    expect(server.prompts.map(({ headers }) => headers?.["x-openai-subagent"])).toEqual([
      undefined,
      "guardian",
      undefined,
    ]);
    expect(outputs(server)).toEqual([
      expect.stringMatching(/^exec command rejected: The automatic reviewer denied .*Seems odd\./),
    ]);
    expect(paramsOf(client, "item/autoApprovalReview/completed")[0]?.action).toMatchObject({
      type: "command",
      command: "touch made.txt",
    });
    expect(paramsOf(client, "guardianWarning")).toEqual([
      {
        threadId,
        message: "Automatic approval review denied (risk: medium, authorization: low): Seems odd.",
      },
    ]);
    expect(
      paramsOf(client, "item/completed").map(({ item }) => (item as { status?: string }).status),
    ).toContain("declined");
  });

  test("is overruled by the user: the same action passes once", async () => {
    await using reviewed = await startReviewed([
      touch("made", "c1"),
      decides("deny"),
      says("Denied."),
      touch("made", "c2"),
      touch("made", "c3"),
      decides("deny"),
      says("Done."),
    ]);
    const { server, client, threadId, asked } = reviewed;
    await talk(client, threadId, "go");
    const [denied] = paramsOf(client, "item/autoApprovalReview/completed");
    const approve = (event: unknown) =>
      client.call("thread/approveGuardianDeniedAction", { threadId, event });

    await expect(approve({})).rejects.toThrow("missing field `id`");
    await expect(approve({ id: "x", status: "approved" })).rejects.toThrow('(got "approved")');
    await expect(approve({ id: "x", status: "denied" })).rejects.toThrow("as x");
    const event = { id: denied?.reviewId, status: "denied" };
    expect(await approve(event)).toEqual({});
    await expect(approve(event)).rejects.toThrow("approved already");
    await talk(client, threadId, "again");

    expect([asked, isMade(server, "made")]).toEqual([[], true]);
    expect(JSON.stringify(server.prompts[3]?.input)).toContain("The user has approved an action");
    expect(paramsOf(client, "item/autoApprovalReview/started")).toHaveLength(2);
    expect(outputs(server).at(-1)).toContain("The automatic reviewer denied");
  });

  const undecided: [string, Step[][], object][] = [
    ["an answer that is no decision", [says("Sure, allow it.")], { status: "aborted" }],
    ["an approval of a critical risk", [decides("allow", { risk_level: "critical" })], {}],
    ["a failure of the model", [fails(400)], { status: "aborted" }],
    ["too many steps", Array.from({ length: 10 }, (_, n) => touch("no", `r${n}`)), {}],
    [
      "a time-out",
      [hangs()],
      { status: "timedOut", rationale: "Automatic approval review failed: timed out after 90 s" },
    ],
  ];
  test.each(undecided)("leaves the decision to the user after %s", async (_, answers, review) => {
    await using reviewed = await startReviewed(
      [touch("made"), ...answers, says("Done.")],
      {},
      ({ parts: { clock } }) => {
        const { sleep } = clock;
        const isHanging = JSON.stringify(answers).includes("hang");
        clock.sleep = (ms, signal) =>
          isHanging && ms === 90_000 ? sleep(1, signal) : sleep(ms, signal);
      },
    );
    const { server, client, threadId, asked } = reviewed;

    await talk(client, threadId, "go");

    expect(asked).toEqual(["item/commandExecution/requestApproval"]);
    expect([isMade(server, "made"), isMade(server, "no")]).toEqual([true, false]);
    const [completed] = paramsOf(client, "item/autoApprovalReview/completed");
    expect(completed?.review).toMatchObject(review);
  });

  test("decides about patches and permissions", async () => {
    const patch = (name: string) =>
      `*** Begin Patch\n*** Add File: ${name}.txt\n+hello\n*** End Patch`;
    const network = { permissions: { network: { enabled: true } }, reason: "download" };
    await using reviewed = await startReviewed(
      [
        [{ apply_patch: patch("made"), call_id: "p1" }],
        decides("allow"),
        [{ apply_patch: patch("denied"), call_id: "p2" }],
        decides("deny"),
        calls("request_permissions", network, "n1"),
        decides("allow"),
        calls("request_permissions", network, "n2"),
        decides("deny"),
        says("Done."),
      ],
      {
        config: {
          approval_policy: "on-request",
          sandbox_mode: "read-only",
          features: { request_permissions_tool: true },
        },
      },
    );
    const { server, client, threadId, asked } = reviewed;

    await talk(client, threadId, "go");

    expect(asked).toEqual([]);
    expect([isMade(server, "made"), isMade(server, "denied")]).toEqual([true, false]);
    const actions = paramsOf(client, "item/autoApprovalReview/started").map(({ action }) => action);
    const files = [join(server.workspace, "made.txt")];
    expect(actions[0]).toEqual({ type: "applyPatch", cwd: server.workspace, files });
    expect(actions[2]).toMatchObject({
      type: "requestPermissions",
      reason: "download",
      permissions: { network: { enabled: true }, fileSystem: null },
    });
    expect(outputs(server).map((text) => /denied this|"scope":"turn"/.exec(text)?.[0])).toEqual(
      expect.arrayContaining(['"scope":"turn"', "denied this"]),
    );
  });

  test("is not asked about what a rule forbids or a hook denies", async () => {
    await using reviewed = await startReviewed(
      [
        calls("shell", { command: ["touch", "made.txt"] }, "c1"),
        calls("shell", { command: ["mkdir", "made"] }, "c2"),
        says("Done."),
      ],
      {},
      async ({ home }) => {
        await writeRule(home, 'prefix_rule(pattern = ["mkdir"], decision = "forbidden")');
        const answer = { behavior: "deny", message: "Not here." };
        const output = {
          hookSpecificOutput: { hookEventName: "PermissionRequest", decision: answer },
        };
        await trustHooks(home, command("PermissionRequest", `echo '${JSON.stringify(output)}'`));
      },
    );
    const { server, client, threadId, asked } = reviewed;

    await talk(client, threadId, "go");

    expect([asked, server.prompts.length]).toEqual([[], 3]);
    expect(outputs(server)).toEqual([
      expect.stringContaining("Not here."),
      expect.stringContaining("forbid"),
    ]);
  });

  test("ends with an interrupted turn", async () => {
    await using reviewed = await startReviewed([touch("made"), hangs()]);
    const { client, threadId, asked } = reviewed;
    const turnId = await say(client, threadId, "go");
    await client.until("item/autoApprovalReview/started");

    await client.call("turn/interrupt", { threadId, turnId });
    const { params } = await client.until("turn/completed");

    expect(params).toMatchObject({ turn: { status: "interrupted" } });
    expect(asked).toEqual([]);
  });

  test("decides for helper agents too, and can be overruled there", async () => {
    const spawn: Step = {
      call: "spawn_agent",
      args: { task_name: "helper", message: "touch made.txt", fork_turns: "none" },
      call_id: "s1",
      namespace: "collaboration",
    };
    const wait: Step = {
      call: "wait_agent",
      args: { timeout_ms: 10_000 },
      call_id: "w1",
      namespace: "collaboration",
    };
    await using reviewed = await startReviewed(
      {
        // The requests of the reviewer are not those of the helper.
        answers: [[spawn, wait], decides("deny"), decides("allow"), says("Done.")],
        agents: {
          "/root/helper": [
            calls("exec_command", { cmd: "touch made.txt" }, "c1"),
            calls("exec_command", { cmd: "touch made.txt" }, "c2"),
            says("Made."),
          ],
        },
      },
      { config: { model: "gpt-6-sol" } },
    );
    const { server, client, threadId, asked } = reviewed;

    await say(client, threadId, "use a helper");
    const ended = () => paramsOf(client, "turn/completed").some((one) => one.threadId === threadId);
    await expect.poll(ended, { timeout: 10_000 }).toBe(true);

    expect(isMade(server, "made")).toBe(true);

    const reviews = paramsOf(client, "item/autoApprovalReview/completed");
    expect(reviews.map(({ review }) => (review as { status: string }).status)).toEqual([
      "denied",
      "approved",
    ]);
    expect(asked).toEqual([]);
    const [denied] = reviews;
    expect(denied?.threadId).not.toBe(threadId);
    const event = { id: denied?.reviewId, status: "denied" };
    const { threadId: helper } = denied as { threadId: string };
    expect(
      await client.call("thread/approveGuardianDeniedAction", { threadId: helper, event }),
    ).toEqual({});
  });
});
