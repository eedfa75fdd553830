import { expect, test, vi } from "vitest";
import type { EventMsg } from "../../src/protocol/types.js";
import { startTestCodex, text } from "../support/codex.js";
import { calls, says } from "../support/model.js";

const types = (events: readonly EventMsg[]) => events.map(({ type }) => type);

test("a request has its turn and sandbox in a header, and in 0.166 in its body too", async () => {
  await using old = await startTestCodex({ era: "0.104", model: [says("Hello.")] });
  await using recent = await startTestCodex({ era: "0.166", model: [says("Hello.")] });

  await old.turn({ type: "user_input", items: text("hi") });
  await recent.turn({ type: "user_input", items: text("hi") });

  const turn_id = old.events.find(({ msg }) => msg.type === "task_started")?.turn_id;
  expect(JSON.parse(old.prompts[0]?.headers?.["x-codex-turn-metadata"] ?? "")).toEqual({
    turn_id,
    sandbox: "none",
  });
  const { metadata, headers } = recent.prompts[0] ?? {};
  expect(metadata?.["x-codex-turn-metadata"]).toBe(headers?.["x-codex-turn-metadata"]);
  expect(JSON.parse(headers?.["x-codex-turn-metadata"] ?? "")).toMatchObject({
    request_kind: "turn",
    sandbox_mode: "danger-full-access",
    window_number: 0,
  });
});

test("a turn of 0.166 that is interrupted during a call still reports the tokens of its response", async () => {
  await using codex = await startTestCodex({
    era: "0.166",
    model: [calls("shell", { command: ["sleep", "30"] })],
  });
  codex.submit({ type: "user_input", items: text("go") });
  await codex.until("exec_command_begin");
  await vi.waitUntil(() => codex.prompts.length === 1, { timeout: 20_000 });

  codex.submit({ type: "interrupt" });
  await codex.until("turn_aborted");

  const counts = codex.events.flatMap(({ msg }) => (msg.type === "token_count" ? [msg.info] : []));
  expect(counts.at(-1)?.last_token_usage.total_tokens).toBeGreaterThan(0);
});

test("the model is informed about an interrupted call and turn", async () => {
  await using codex = await startTestCodex({
    era: "0.104",
    model: [calls("shell", { command: ["sleep", "30"] }), says("Next.")],
  });
  codex.submit({ type: "user_input", items: text("go") });
  await codex.until("exec_command_begin");

  codex.submit({ type: "interrupt" });
  await codex.until("turn_aborted");
  await codex.turn({ type: "user_input", items: text("next") });

  const tail = codex.prompts[1]?.input.slice(-3);
  expect(tail).toEqual([
    {
      type: "function_call_output",
      call_id: "c1",
      output: expect.stringMatching(/^Wall time: \d+\.\d seconds\naborted by user$/),
    },
    expect.objectContaining({
      role: "user",
      content: [
        {
          type: "input_text",
          text: expect.stringMatching(/^<turn_aborted>[\s\S]*<\/turn_aborted>$/),
        },
      ],
    }),
    expect.objectContaining({ content: [{ type: "input_text", text: "next" }] }),
  ]);
});

test("aborting at an approval first reports the command as declined", async () => {
  await using codex = await startTestCodex({
    era: "0.104",
    model: [calls("shell", { command: ["touch", "made.txt"] })],
    config: { approval_policy: "untrusted" },
  });
  const id = codex.submit({ type: "user_input", items: text("go") });
  await codex.until("exec_approval_request");

  codex.submit({ type: "exec_approval", id: "c1", decision: "abort" });
  await codex.until("turn_aborted");

  const told = codex.events.filter((event) => event.id === id).map(({ msg }) => msg);
  expect(types(told).slice(-3)).toEqual([
    "exec_approval_request",
    "exec_command_end",
    "turn_aborted",
  ]);
  expect(told.at(-2)).toMatchObject({ status: "declined", source: "agent", exit_code: -1 });
});

test("a conversation that no longer fits fails with a full window, where it is not summarized", async () => {
  await using codex = await startTestCodex({
    era: "0.104",
    model: [[{ failed: { code: "context_length_exceeded", message: "Too long." } }]],
  });

  const events = await codex.turn({ type: "user_input", items: text("go") });

  const [tokens, error] = events.slice(-3);
  expect(tokens).toMatchObject({
    type: "token_count",
    info: { last_token_usage: { total_tokens: 258_400 } },
  });
  expect(error).toMatchObject({ type: "error", codex_error_info: "context_window_exceeded" });
});

test("a summary is emitted as an item of the turn, with the estimated size of the window", async () => {
  await using codex = await startTestCodex({
    era: "0.104",
    model: [says("One."), says("The summary.")],
    items: true,
  });
  await codex.turn({ type: "user_input", items: text("first") });

  const events = await codex.turn({ type: "compact" });

  expect(types(events).filter((type) => type !== "token_count")).toEqual([
    "task_started",
    "item_started",
    "item_completed",
    "context_compacted",
    "warning",
    "task_complete",
  ]);
});

test("a review in a separate thread ends as an answer in the conversation", async () => {
  const output = {
    findings: [],
    overall_correctness: "patch is correct",
    overall_explanation: "All fine.",
    overall_confidence_score: 0.8,
  };
  await using codex = await startTestCodex({
    era: "0.104",
    model: [says(JSON.stringify(output)), says("Two.")],
  });

  const events = await codex.turn({
    type: "review",
    review_request: { target: { type: "custom", instructions: "Check the signs." } },
  });
  await codex.turn({ type: "user_input", items: text("second") });

  expect(types(events)).not.toContain("token_count");
  expect(events.find(({ type }) => type === "entered_review_mode")).toMatchObject({
    user_facing_hint: "Check the signs.",
  });
  expect(events.slice(-2)).toEqual([
    { type: "agent_message", message: "All fine." },
    { type: "task_complete", last_agent_message: null },
  ]);
  expect(codex.prompts[0]).toMatchObject({
    headers: { "x-openai-subagent": "review" },
    input: expect.arrayContaining([
      expect.objectContaining({ content: [{ type: "input_text", text: "Check the signs." }] }),
    ]),
  });
  expect(codex.prompts[0]?.conversationId).not.toBe(codex.prompts[1]?.conversationId);
  expect(codex.prompts[1]?.input.at(-2)).toMatchObject({
    role: "assistant",
    content: [{ type: "output_text", text: "All fine." }],
  });
});

test("every turn with an unknown model has a warning", async () => {
  await using codex = await startTestCodex({ era: "0.104", model: [says("One.")] });

  const [first] = await codex.turn({ type: "user_input", items: text("first") });

  expect(first).toEqual({
    type: "warning",
    message:
      "Model metadata for `mock-model` not found. Defaulting to fallback metadata; this can degrade performance and cause issues.",
  });
});
