import { describe, expect, test } from "vitest";
import { AnthropicClient } from "../../../src/model/anthropic/index.js";
import { packState } from "../../../src/model/lowered/provider-state.js";
import { scriptedProvider } from "../../../src/model/scripted/index.js";
import type { ModelProvider, Prompt } from "../../../src/model/types.js";
import type { FunctionToolSpec, ResponseItem } from "../../../src/protocol/types.js";
import { askOnce, type ClientUnderTest } from "../lowered/ask-client.js";

const anthropic: ClientUnderTest = {
  create: (options) => new AnthropicClient(options),
  provider: { wire_api: "anthropic" },
};
const add: FunctionToolSpec = {
  type: "function",
  name: "add",
  description: "Adds.",
  strict: false,
  parameters: { type: "object", properties: { a: { type: "number" } } },
};

const start = {
  type: "message_start",
  message: {
    id: "msg_01",
    usage: {
      input_tokens: 10,
      cache_read_input_tokens: 5,
      cache_creation_input_tokens: 2,
      output_tokens: 1,
    },
  },
};
const opens = (index: number, content_block: object) => ({
  type: "content_block_start",
  index,
  content_block,
});
const adds = (index: number, delta: object) => ({ type: "content_block_delta", index, delta });
const stops = (index: number) => ({ type: "content_block_stop", index });
const ends = (stop_reason: string) => [
  { type: "message_delta", delta: { stop_reason }, usage: { output_tokens: 7 } },
  { type: "message_stop" },
];

/** An answer with a signed thought, a sentence and a call, as the API streams it. */
const answer = {
  chunks: [
    start,
    opens(0, { type: "thinking", thinking: "", signature: "" }),
    { type: "ping" },
    adds(0, { type: "thinking_delta", thinking: "Sum" }),
    adds(0, { type: "thinking_delta", thinking: " it." }),
    adds(0, { type: "signature_delta", signature: "sig" }),
    stops(0),
    opens(1, { type: "redacted_thinking", data: "hidden" }),
    stops(1),
    opens(2, { type: "text", text: "" }),
    adds(2, { type: "text_delta", text: "I add." }),
    stops(2),
    opens(3, { type: "tool_use", id: "toolu_1", name: "add", input: {} }),
    adds(3, { type: "input_json_delta", partial_json: '{"a":' }),
    adds(3, { type: "input_json_delta", partial_json: "1}" }),
    stops(3),
    ...ends("tool_use"),
  ],
};

describe("an answer of the Messages API", () => {
  test("becomes reasoning with its signature, a message and a call", async () => {
    const { items, provider } = await askOnce(anthropic, answer, { tools: [add] });

    expect(
      items.filter(({ type }) => type === "item_done").map((item) => "item" in item && item.item),
    ).toEqual([
      {
        type: "reasoning",
        id: "rs_1",
        summary: [],
        content: [{ type: "reasoning_text", text: "Sum it." }],
        encrypted_content: packState(provider, { signature: "sig" }),
      },
      {
        type: "reasoning",
        id: "rs_2",
        summary: [],
        content: null,
        encrypted_content: packState(provider, { redacted: "hidden" }),
      },
      {
        type: "message",
        id: "msg_3",
        role: "assistant",
        content: [{ type: "output_text", text: "I add." }],
      },
      { type: "function_call", name: "add", arguments: '{"a":1}', call_id: "toolu_1" },
    ]);
    expect(items.at(-1)).toEqual({
      type: "completed",
      responseId: "msg_01",
      usage: {
        input_tokens: 17,
        cached_input_tokens: 5,
        output_tokens: 7,
        reasoning_output_tokens: 0,
        total_tokens: 24,
      },
    });
  });

  test("that is no stream is read whole", async () => {
    const body = {
      type: "message",
      id: "msg_02",
      content: [
        { type: "text", text: "Hi." },
        { type: "tool_use", id: "toolu_2", name: "add", input: { a: 2 } },
      ],
      stop_reason: "tool_use",
      usage: { input_tokens: 1, output_tokens: 2 },
    };

    const { items } = await askOnce(anthropic, { body }, { tools: [add] });

    expect(items.filter(({ type }) => type === "item_done")).toMatchObject([
      { item: { content: [{ text: "Hi." }] } },
      { item: { name: "add", arguments: '{"a":2}' } },
    ]);
    expect(items.at(-1)).toMatchObject({ type: "completed", usage: { total_tokens: 3 } });
  });

  test.each([
    ["refusal", ends("refusal"), { kind: "response_failed", retryable: false }],
    [
      "a full context window",
      ends("model_context_window_exceeded"),
      { kind: "context_length_exceeded", retryable: false },
    ],
    [
      "a call that was cut off",
      [
        opens(0, { type: "tool_use", id: "t", name: "add", input: {} }),
        adds(0, { type: "input_json_delta", partial_json: '{"a' }),
        ...ends("max_tokens"),
      ],
      { kind: "response_failed", retryable: true },
    ],
    [
      "an error in the stream",
      [{ type: "error", error: { type: "overloaded_error", message: "Overloaded" } }],
      { kind: "overloaded" },
    ],
    ["an early end", [], { kind: "stream_closed", retryable: true }],
  ])("with %s is a failure", async (_, chunks, failure) => {
    const { items } = await askOnce(anthropic, { chunks: [start, ...chunks] });

    expect(items.at(-1)).toMatchObject({ type: "failed", failure });
    expect(items.filter(({ type }) => type === "completed")).toEqual([]);
  });

  test("with an error status has the server's sentence", async () => {
    const body = {
      type: "error",
      error: { type: "authentication_error", message: "invalid x-api-key" },
    };

    const { items } = await askOnce(anthropic, { status: 401, body });

    expect(items.at(-1)).toMatchObject({
      type: "failed",
      failure: { kind: "auth", message: expect.stringContaining("invalid x-api-key") },
    });
  });
});

describe("a request to the Messages API", () => {
  const done = { chunks: [start, ...ends("end_turn")] };
  const ask = (prompt: Partial<Prompt>) => askOnce(anthropic, done, prompt);
  const user = (text: string): ResponseItem => ({
    type: "message",
    role: "user",
    content: [{ type: "input_text", text }],
  });

  test("has the key, the version, the tools and marks for the cache", async () => {
    const { request } = await ask({ tools: [add], outputSchema: { type: "object" } });

    expect(request.url).toBe("/v1/messages");
    expect(request.headers).toMatchObject({ "x-api-key": "k", "anthropic-version": "2023-06-01" });
    expect(request.headers.authorization).toBeUndefined();
    const cache_control = { type: "ephemeral" };
    expect(request.body).toEqual({
      model: "mock-model",
      max_tokens: 32_000,
      stream: true,
      system: [{ type: "text", text: "Be brief.", cache_control }],
      messages: [{ role: "user", content: [{ type: "text", text: "go", cache_control }] }],
      tools: [{ name: "add", description: "Adds.", input_schema: add.parameters }],
      tool_choice: { type: "auto", disable_parallel_tool_use: true },
      output_config: { format: { type: "json_schema", schema: { type: "object" } } },
    });
  });

  test("asks for thinking by the effort", async () => {
    const { request } = await ask({ reasoning: { effort: "low", summary: "auto" } });

    expect(request.body.thinking).toEqual({ type: "enabled", budget_tokens: 4096 });
  });

  test("has results before the text, and no thoughts of another server", async () => {
    const foreign = (owner: ModelProvider): ResponseItem => ({
      type: "reasoning",
      summary: [],
      content: [{ type: "reasoning_text", text: "Hm." }],
      encrypted_content: packState(owner, { signature: "s" }),
    });
    const call = (call_id: string): ResponseItem => ({
      type: "function_call",
      name: "add",
      arguments: '{"a":1}',
      call_id,
    });
    const output = (call_id: string): ResponseItem => ({
      type: "function_call_output",
      call_id,
      output: [
        { type: "input_text", text: "1" },
        { type: "input_image", image_url: "data:image/png;base64,AAAA" },
      ],
    });
    const other: ModelProvider = { ...scriptedProvider, wire_api: "anthropic" };
    const { request } = await ask({
      input: [user("one"), foreign(other), call("c1"), output("c1"), user("two"), call("c2")],
    });

    expect(request.body.messages).toEqual([
      { role: "user", content: [{ type: "text", text: "one" }] },
      {
        role: "assistant",
        content: [{ type: "tool_use", id: "c1", name: "add", input: { a: 1 } }],
      },
      {
        role: "user",
        content: [
          {
            type: "tool_result",
            tool_use_id: "c1",
            content: [
              { type: "text", text: "1" },
              { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } },
            ],
          },
          { type: "text", text: "two" },
        ],
      },
      {
        role: "assistant",
        content: [{ type: "tool_use", id: "c2", name: "add", input: { a: 1 } }],
      },
      {
        role: "user",
        content: [
          {
            type: "tool_result",
            tool_use_id: "c2",
            content: "aborted",
            cache_control: { type: "ephemeral" },
          },
        ],
      },
    ]);
  });
});
