import { expect, test } from "vitest";
import { startTestCodex, text } from "../support/codex.js";
import {
  breaks,
  calls,
  callsCustom,
  cuts,
  fails,
  reasons,
  says,
  searches,
} from "../support/model.js";

const usage = {
  input_tokens: expect.any(Number),
  cached_input_tokens: expect.any(Number),
  output_tokens: expect.any(Number),
  reasoning_output_tokens: expect.any(Number),
  total_tokens: expect.any(Number),
};
const limits = { primary: null, secondary: null };

test("[clients 5] a plain answer is emitted in deltas and as a whole, and counted once", async () => {
  await using codex = await startTestCodex({ model: [says("Hello there.", "Hello ", "there.")] });

  const events = await codex.turn({ type: "user_input", items: text("go") });

  expect(events).toEqual([
    {
      type: "task_started",
      model_context_window: expect.any(Number),
      collaboration_mode_kind: "default",
    },
    { type: "user_message", message: "go", kind: "plain" },
    { type: "agent_message_delta", delta: "Hello " },
    { type: "agent_message_delta", delta: "there." },
    { type: "agent_message", message: "Hello there." },
    {
      type: "token_count",
      info: {
        total_token_usage: usage,
        last_token_usage: usage,
        model_context_window: expect.any(Number),
      },
      rate_limits: limits,
    },
    {
      type: "task_complete",
      last_agent_message: "Hello there.",
      response_id: expect.any(String),
    },
  ]);
});

test("every event of a task has its thread and turn, and messages their item", async () => {
  await using codex = await startTestCodex({ model: [says("Hi.")] });

  await codex.turn({ type: "user_input", items: text("go") });

  const ofTask = codex.events.filter((event) => event.id === "s1");
  const [first] = ofTask;
  expect(first?.turn_id).toBeTypeOf("string");
  expect(new Set(ofTask.map((event) => event.turn_id))).toEqual(new Set([first?.turn_id]));
  expect(new Set(ofTask.map((event) => event.thread_id)).size).toBe(1);
  const [delta, message] = ofTask.filter((event) => event.msg.type.startsWith("agent_message"));
  expect(delta?.item_id).toBeTypeOf("string");
  expect(message?.item_id).toBe(delta?.item_id);
});

test("reasoning is emitted in parts, each after a section break", async () => {
  await using codex = await startTestCodex({
    model: [[...reasons("One", "Two"), ...says("Done.")]],
  });

  const events = await codex.turn({ type: "user_input", items: text("go") });

  expect(events.filter((msg) => msg.type.startsWith("agent_reasoning"))).toEqual([
    { type: "agent_reasoning_section_break" },
    { type: "agent_reasoning_delta", delta: "One" },
    { type: "agent_reasoning_section_break" },
    { type: "agent_reasoning_delta", delta: "Two" },
    { type: "agent_reasoning", text: "One" },
    { type: "agent_reasoning", text: "Two" },
  ]);
});

test("a web search begins and ends", async () => {
  await using codex = await startTestCodex({ model: [[...searches("quires"), ...says("Found.")]] });

  const events = await codex.turn({ type: "user_input", items: text("go") });

  expect(events.filter((msg) => msg.type.startsWith("web_search"))).toEqual([
    { type: "web_search_begin", call_id: "ws_1" },
    {
      type: "web_search_end",
      call_id: "ws_1",
      query: "quires",
      action: { type: "search", query: "quires" },
    },
  ]);
});

test("the next request has the whole conversation, calls with their outputs", async () => {
  const plan = { plan: [{ step: "look", status: "in_progress" }] };
  await using codex = await startTestCodex({
    model: [calls("update_plan", plan), says("Done.")],
  });

  const events = await codex.turn({ type: "user_input", items: text("go") });

  expect(events).toContainEqual({ type: "plan_update", explanation: null, ...plan });
  expect(codex.prompts[1]?.input.slice(2)).toMatchObject([
    { type: "function_call", name: "update_plan", call_id: "c1" },
    { type: "function_call_output", call_id: "c1", output: "Plan updated" },
  ]);
});

test("unknown tools and wrong arguments go back to the model as text", async () => {
  await using codex = await startTestCodex({
    model: [
      calls("mystery", {}),
      callsCustom("riddle", "x"),
      calls("update_plan", { plan: [{ step: "x", status: "doing" }] }),
      says("Sorry."),
    ],
  });

  await codex.turn({ type: "user_input", items: text("go") });

  const outputs = codex.prompts[3]?.input.flatMap((item) =>
    "output" in item ? [item.output] : [],
  );
  expect(outputs).toEqual([
    "unsupported call: mystery",
    "unsupported custom tool call: riddle",
    "failed to parse function arguments: unknown variant `doing`, expected one of `pending`, `in_progress`, `completed` at line 1 column 37",
  ]);
});

test("a broken stream is retried, and its complete items stay", async () => {
  await using codex = await startTestCodex({
    model: [cuts(calls("update_plan", { plan: [] })), says("Whole.")],
    config: { model_providers: retrying(1) },
  });

  const events = await codex.turn({ type: "user_input", items: text("go") });

  expect(events.at(-1)).toMatchObject({ type: "task_complete", last_agent_message: "Whole." });
  const added = codex.prompts[1]?.input.slice(codex.prompts[0]?.input.length);
  expect(added?.map(({ type }) => type)).toEqual(["function_call", "function_call_output"]);
});

test.each([
  ["0.104", "Looking."],
  ["0.166", "Found."],
] as const)("in %s a response with `end_turn: false` leads to the answer %j", async (era, last) => {
  const goesOn = { type: "response.completed", response: { id: "r1", end_turn: false } };
  await using codex = await startTestCodex({
    era,
    model: [[...says("Looking."), { raw: goesOn }], says("Found.")],
  });

  const events = await codex.turn({ type: "user_input", items: text("go") });

  expect(events.at(-1)).toMatchObject({ type: "task_complete", last_agent_message: last });
});

test("clients of 2025 see a broken stream restarted from scratch", async () => {
  await using codex = await startTestCodex({
    era: "0.42",
    model: [cuts(says("Half")), says("Whole.")],
    config: { model_providers: retrying(1) },
  });

  const events = await codex.turn({ type: "user_input", items: text("go") });

  expect(events.map((msg) => msg.type)).toContain("stream_error");
  expect(events.at(-1)).toMatchObject({ type: "task_complete", last_agent_message: "Whole." });
  expect(codex.prompts[1]?.input).toEqual(codex.prompts[0]?.input);
});

test("when the retries are used up the error is emitted and the task still completes", async () => {
  await using codex = await startTestCodex({
    model: [breaks("server_error", "boom"), breaks("server_error", "boom"), says("Later.")],
    config: { model_providers: retrying(1) },
  });

  const failedTurn = await codex.turn({ type: "user_input", items: text("go") });
  const nextTurn = await codex.turn({ type: "user_input", items: text("again") });

  expect(failedTurn.slice(-2)).toEqual([
    {
      type: "error",
      message: "stream disconnected before completion: boom",
      codex_error_info: "other",
    },
    { type: "task_complete", last_agent_message: null },
  ]);
  expect(nextTurn.at(-1)).toMatchObject({ type: "task_complete", last_agent_message: "Later." });
});

test("a refusal that cannot be mended is not retried", async () => {
  await using codex = await startTestCodex({
    model: [fails(400, { error: { message: "bad thing" } })],
    config: { model_providers: retrying(5) },
  });

  const events = await codex.turn({ type: "user_input", items: text("go") });

  expect(events.filter((msg) => msg.type === "stream_error")).toEqual([]);
  expect(events.at(-2)).toMatchObject({ type: "error", message: expect.stringContaining("400") });
  expect(codex.prompts.length).toBe(1);
});

test("a provider that stores responses gets only new items and the previous response id", async () => {
  await using codex = await startTestCodex({
    model: [calls("update_plan", { plan: [] }), says("One."), says("Two.")],
    config: { model_providers: { mock: { ...provider, store: true } } },
  });

  const first = await codex.turn({ type: "user_input", items: text("go") });
  await codex.turn({ type: "user_input", items: text("more") });

  const [start, afterCall, next] = codex.prompts;
  expect(start?.previousResponseId).toBeUndefined();
  expect(afterCall?.input).toMatchObject([{ type: "function_call_output", call_id: "c1" }]);
  expect(next?.previousResponseId).toBe((first.at(-1) as { response_id: string }).response_id);
  expect(next?.input).toMatchObject([{ type: "message", role: "user" }]);
});

const provider = { name: "mock", base_url: "http://127.0.0.1:1/v1", wire_api: "responses" };

function retrying(stream_max_retries: number) {
  return { mock: { ...provider, stream_max_retries, request_max_retries: 0 } };
}
