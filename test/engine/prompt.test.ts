import { describe, expect, test } from "vitest";
import { eraOf } from "../../src/compat/index.js";
import { reasoningOf, requestIdentity, withInstructions } from "../../src/engine/prompt.js";
import type { SandboxPolicy } from "../../src/protocol/types.js";

function taskIn(era: string, { platform = "linux", source = "cli" } = {}) {
  return {
    turnId: "turn",
    startedAt: 5,
    session: {
      id: "thread",
      windows: { number: 2, id: "window", beginning: "resumed" },
      instructions: { of: (text: string) => ({ type: "message", role: "developer", text }) },
      parts: { era: eraOf(era), platform, source, installationId: "install" },
    },
  } as never;
}

function conversation(policy: SandboxPolicy = { mode: "read-only" }, more = {}) {
  const context = { sandbox_policy: policy, model: "gpt-5", family: { defaultEffort: "medium" } };
  return { context, ...more } as never;
}

describe("requestIdentity", () => {
  test("older eras send the conversation only", () => {
    expect(requestIdentity(taskIn("0.42"), conversation())).toEqual({ conversationId: "thread" });
  });

  test.each<[SandboxPolicy, string, string]>([
    [{ mode: "danger-full-access" }, "linux", "none"],
    [{ mode: "external-sandbox" } as SandboxPolicy, "linux", "external"],
    [{ mode: "read-only" }, "linux", "seccomp"],
    [{ mode: "read-only" }, "darwin", "seatbelt"],
    [{ mode: "read-only" }, "win32", "windows_sandbox"],
  ])("the sandbox of %j on %s is %s", (policy, platform, sandbox) => {
    const { headers } = requestIdentity(taskIn("0.104", { platform }), conversation(policy));

    expect(JSON.parse(headers?.["x-codex-turn-metadata"] ?? "")).toEqual({
      turn_id: "turn",
      sandbox,
    });
  });

  test("the newest eras send the window, the model and the kind of request", () => {
    const { headers, metadata } = requestIdentity(taskIn("0.166"), conversation());

    expect(JSON.parse(headers?.["x-codex-turn-metadata"] ?? "")).toMatchObject({
      thread_id: "thread",
      window_id: "thread:2",
      request_kind: "turn",
      history_initialization: "resumed",
      model: "gpt-5",
      reasoning_effort: "medium",
      turn_started_at_unix_ms: 5,
    });
    expect(metadata).toMatchObject({ "x-codex-installation-id": "install", turn_id: "turn" });
  });

  test("a compaction names no model, and a run of exec its trigger", () => {
    const task = taskIn("0.166", { source: "exec" });
    const { headers } = requestIdentity(task, conversation(), "compaction");
    const sent = JSON.parse(headers?.["x-codex-turn-metadata"] ?? "");

    expect(sent).toMatchObject({ compaction: { trigger: "manual" }, turn_trigger: "exec" });
    expect(sent).not.toHaveProperty("model");
  });

  test("a side conversation has its own ids and kind", () => {
    const side = conversation(undefined, { id: "side", turnId: "own", subagent: "review" });
    const { conversationId, headers } = requestIdentity(taskIn("0.104"), side);

    expect(conversationId).toBe("side");
    expect(headers).toMatchObject({ "x-openai-subagent": "review" });
    expect(headers?.["x-codex-turn-metadata"]).toContain('"turn_id":"own"');
  });
});

test("instructions are a field or the first message", () => {
  const given = { instructions: "Do it.", input: [{ type: "other" } as never] };

  expect(withInstructions(taskIn("0.42"), given)).toEqual(given);
  expect(withInstructions(taskIn("0.166"), given)).toEqual({
    input: [{ type: "message", role: "developer", text: "Do it." }, { type: "other" }],
  });
});

test.each([
  [{ family: { reasoning: false }, summary: "auto", effort: "high" }, {}],
  [{ family: { reasoning: true }, summary: "auto" }, { reasoning: { summary: "auto" } }],
  [
    { family: { reasoning: true, defaultEffort: "low" }, summary: "none" },
    { reasoning: { effort: "low", summary: "none" } },
  ],
  [
    { family: { reasoning: true, defaultEffort: "low" }, summary: "auto", effort: "high" },
    { reasoning: { effort: "high", summary: "auto" } },
  ],
  [
    { model: "gpt-6-sol", family: { reasoning: true }, summary: "none", effort: "ultra" },
    { reasoning: { effort: "max", summary: "none" } },
  ],
  [
    { model: "gpt-5.5", family: { reasoning: true }, summary: "none", effort: "ultra" },
    { reasoning: { effort: "xhigh", summary: "none" } },
  ],
  [
    { model: "mine", family: { reasoning: true }, summary: "none", effort: "ultra" },
    { reasoning: { effort: "medium", summary: "none" } },
  ],
])("the reasoning settings of %j", (context, expected) => {
  expect(reasoningOf(taskIn("current"), context as never)).toEqual(expected);
});
