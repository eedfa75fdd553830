import { describe, expect, test } from "vitest";
import { readStreamEvent } from "../../src/model/read-stream-event.js";
import { behaviorOf } from "../support/model.js";

const behavior = behaviorOf("0.104");
const read = (event: unknown) => readStreamEvent(JSON.stringify(event), behavior);

describe("an event of the stream", () => {
  test.each([
    [
      { type: "response.output_text.delta", item_id: "m", delta: "hi" },
      { type: "text_delta", delta: "hi", itemId: "m" },
    ],
    [
      { type: "response.reasoning_summary_text.delta", delta: "t", summary_index: 1 },
      { type: "reasoning_delta", delta: "t", itemId: undefined, index: 1 },
    ],
    [
      { type: "response.reasoning_text.delta", item_id: "r", delta: "t", content_index: 2 },
      { type: "raw_reasoning_delta", delta: "t", itemId: "r", index: 2 },
    ],
    [
      { type: "response.reasoning_summary_part.added", item_id: "r", summary_index: 3 },
      { type: "reasoning_part", itemId: "r", index: 3 },
    ],
    [
      { type: "response.output_item.added", item: { type: "web_search_call", id: "ws" } },
      { type: "item_added", item: { type: "web_search_call", id: "ws" } },
    ],
    [
      { type: "response.output_item.done", item: { type: "reasoning", summary: [] } },
      {
        type: "item_done",
        item: { type: "reasoning", summary: [], content: null, encrypted_content: null },
      },
    ],
    [
      { type: "response.created", response: { id: "resp_1" } },
      { type: "created", responseId: "resp_1" },
    ],
    [
      { type: "response.completed", response: { id: "resp_1" } },
      { type: "completed", responseId: "resp_1", usage: undefined },
    ],
    [{ type: "response.done" }, { type: "completed", responseId: undefined, usage: undefined }],
  ])("%j is reported", (event, expected) => {
    expect(read(event)).toEqual(expected);
  });

  test.each([
    [{ type: "response.output_text.delta" }],
    [{ type: "response.output_text.delta", delta: 7 }],
    [{ type: "response.reasoning_text.delta" }],
    [{ type: "response.created" }],
    [{ type: "response.completed" }],
    [{ type: "response.output_item.done", item: { type: "message" } }],
    [{ type: "response.refusal.delta", delta: "no" }],
    [{ type: "response.new_tool_event" }],
    [{ type: null }],
    [{}],
    [[]],
    ["text"],
    [null],
  ])("%j is skipped", (event) => {
    expect(read(event)).toBeUndefined();
  });

  test("that is not JSON is skipped", () => {
    expect(readStreamEvent("not json", behavior)).toBeUndefined();
    expect(readStreamEvent("", behavior)).toBeUndefined();
  });
});

describe("the usage", () => {
  const usageOf = (usage: unknown) => read({ type: "response.completed", response: { usage } });

  test("is reported in full", () => {
    expect(
      usageOf({
        input_tokens: 100,
        input_tokens_details: { cached_tokens: 20 },
        output_tokens: 30,
        output_tokens_details: { reasoning_tokens: 5 },
        total_tokens: 130,
      }),
    ).toMatchObject({
      usage: {
        input_tokens: 100,
        cached_input_tokens: 20,
        output_tokens: 30,
        reasoning_output_tokens: 5,
        total_tokens: 130,
      },
    });
  });

  test("may lack its details and its total", () => {
    expect(
      usageOf({ input_tokens: 7, output_tokens: 3, input_tokens_details: null }),
    ).toMatchObject({
      usage: {
        input_tokens: 7,
        cached_input_tokens: 0,
        output_tokens: 3,
        reasoning_output_tokens: 0,
        total_tokens: 10,
      },
    });
  });
});

describe("a response that failed", () => {
  const failedBy = (error: unknown, era: "0.42" | "0.104" = "0.104") =>
    readStreamEvent(
      JSON.stringify({ type: "response.failed", response: { id: "r", error } }),
      behaviorOf(era),
    );

  test.each([
    [
      "context_length_exceeded",
      "context_length_exceeded",
      "Codex ran out of room in the model's context window. Start a new thread or clear earlier history before retrying.",
    ],
    ["insufficient_quota", "quota", "Quota exceeded. Check your plan and billing details."],
    [
      "usage_not_included",
      "usage_not_included",
      "To use Codex with your ChatGPT plan, upgrade to Plus: https://chatgpt.com/explore/plus.",
    ],
    ["invalid_prompt", "invalid_prompt", "said"],
    ["bio_policy", "invalid_prompt", "said"],
    ["cyber_policy", "cyber_policy", "said"],
    ["misalignment_policy_violation", "misalignment_policy", "said"],
    [
      "server_is_overloaded",
      "overloaded",
      "Selected model is at capacity. Please try a different model.",
    ],
    ["slow_down", "overloaded", "Selected model is at capacity. Please try a different model."],
  ])("with code %s ends the turn", (code, kind, message) => {
    expect(failedBy({ code, message: "said" })).toEqual({
      type: "failed",
      failure: { kind, message, retryable: false },
    });
  });

  test("without a message gets a default one", () => {
    const messages = ["invalid_prompt", "cyber_policy", "misalignment_policy_violation"].map(
      (code) => failedBy({ code, ...(code === "invalid_prompt" ? {} : { message: " " }) }),
    );

    expect(messages).toMatchObject([
      { failure: { message: "Invalid request." } },
      { failure: { message: "This request has been flagged for possible cybersecurity risk." } },
      { failure: { message: "This request was blocked due to a misalignment policy violation." } },
    ]);
  });

  test("was always tried again in 2025", () => {
    expect(failedBy({ code: "context_length_exceeded", message: "Too long." }, "0.42")).toEqual({
      type: "failed",
      failure: {
        kind: "response_failed",
        message: "stream disconnected before completion: Too long.",
        retryable: true,
      },
    });
  });

  test.each([
    ["Please try again in 28ms. Visit", 28],
    ["Please try again in 11.054s. Visit", 11_054],
    ["Try again in 35 seconds.", 35_000],
    ["try again in 1.5 s", 1500],
    ["Try again later.", undefined],
  ])("for its rate waits as requested: %s", (message, retryAfterMs) => {
    const failure = failedBy({ code: "rate_limit_exceeded", message });

    expect(failure).toMatchObject({ failure: { retryable: true } });
    expect(failure?.type === "failed" && failure.failure.retryAfterMs).toBe(retryAfterMs);
  });

  test("waits only when it is about the rate", () => {
    expect(failedBy({ code: "server_error", message: "Please try again in 1s" })).toEqual({
      type: "failed",
      failure: {
        kind: "response_failed",
        message: "stream disconnected before completion: Please try again in 1s",
        retryable: true,
      },
    });
  });

  test("without an error object is tried again", () => {
    expect(failedBy(undefined)).toMatchObject({
      failure: {
        message: "stream disconnected before completion: response.failed event received",
        retryable: true,
      },
    });
  });

  test("may be reported by a bare error event", () => {
    expect(read({ type: "error", error: { code: "server_error", message: "it broke" } })).toEqual({
      type: "failed",
      failure: {
        kind: "response_failed",
        message: "stream disconnected before completion: it broke",
        retryable: true,
      },
    });
  });
});

test("a truncated response is reported with its reason, but not in 2025", () => {
  const event = JSON.stringify({
    type: "response.incomplete",
    response: { incomplete_details: { reason: "max_output_tokens" } },
  });

  expect(readStreamEvent(event, behavior)).toMatchObject({
    failure: {
      message:
        "stream disconnected before completion: Incomplete response returned, reason: max_output_tokens",
      retryable: true,
    },
  });
  expect(readStreamEvent(event, behaviorOf("0.42"))).toBeUndefined();
});

test.each(["0.166", "current"] as const)("in %s a truncated response is not retried", (era) => {
  const event = JSON.stringify({
    type: "response.incomplete",
    response: { incomplete_details: { reason: "max_output_tokens" } },
  });

  expect(readStreamEvent(event, behaviorOf(era))).toMatchObject({
    failure: {
      message: "Incomplete response returned, reason: max_output_tokens",
      retryable: false,
    },
  });
});

test.each([
  ["0.104", "Selected model is at capacity. Please try a different model.", false],
  ["0.166", "rate limit exceeded: busy", true],
  ["current", "stream disconnected before completion: busy", true],
] as const)("in %s `slow_down` is %j", (era, message, retryable) => {
  const event = JSON.stringify({
    type: "response.failed",
    response: { error: { code: "slow_down", message: "busy" } },
  });

  expect(readStreamEvent(event, behaviorOf(era))).toMatchObject({
    failure: { message, retryable },
  });
});

test("a response says that the model goes on", () => {
  const event = (response: object) => JSON.stringify({ type: "response.completed", response });

  expect(readStreamEvent(event({ id: "r", end_turn: false }), behavior)).toMatchObject({
    goesOn: true,
  });
  expect(readStreamEvent(event({ id: "r", end_turn: true }), behavior)).not.toHaveProperty(
    "goesOn",
  );
});
