import { AnthropicClient } from "../../../src/model/anthropic/index.js";
import { ChatClient } from "../../../src/model/chat/index.js";
import { GeminiClient } from "../../../src/model/gemini/index.js";
import { ResponsesClient } from "../../../src/model/responses-client.js";
import type { FunctionToolSpec } from "../../../src/protocol/types.js";
import type { ClientUnderTest } from "../lowered/ask-client.js";

/** An API of a model, and answers in its format. */
export interface Api extends ClientUnderTest {
  /** The events of an answer with a text and a call of `add` with `{"a":1}`. */
  answer: (object | string)[];
  /** An event with a piece of text. */
  says(text: string): object;
  /** The events of an answer that makes so many calls of `add`. */
  calls(count: number): (object | string)[];
  /** The events of an answer whose usage has these numbers of tokens. */
  uses(tokens: number): (object | string)[];
}

/** The tool that the answers call. */
export const add: FunctionToolSpec = {
  type: "function",
  name: "add",
  description: "Adds.",
  strict: false,
  parameters: { type: "object", properties: { a: { type: "number" } } },
};

/** A text whose characters have one to four bytes. */
const text = "Grüße, 世界 👋🏽";

const numbers = (count: number) => Array.from({ length: count }, (_, at) => at);

const openai = {
  text: (delta: string) => ({ type: "response.output_text.delta", item_id: "m", delta }),
  call: (at: number) => ({
    type: "response.output_item.done",
    item: { type: "function_call", name: "add", arguments: '{"a":1}', call_id: `c${at}` },
  }),
  end: (tokens: number) => ({
    type: "response.completed",
    response: {
      id: "r",
      usage: {
        input_tokens: tokens,
        input_tokens_details: { cached_tokens: tokens },
        output_tokens: tokens,
        output_tokens_details: { reasoning_tokens: tokens },
        total_tokens: tokens,
      },
    },
  }),
};

const responses: Api = {
  create: (options) => new ResponsesClient(options),
  provider: { wire_api: "responses" },
  answer: [
    { type: "response.created", response: { id: "r" } },
    {
      type: "response.output_item.added",
      item: { type: "message", id: "m", role: "assistant", content: [] },
    },
    openai.text(text),
    {
      type: "response.output_item.done",
      item: {
        type: "message",
        id: "m",
        role: "assistant",
        content: [{ type: "output_text", text }],
      },
    },
    openai.call(1),
    openai.end(5),
  ],
  says: openai.text,
  calls: (count) => [...numbers(count).map(openai.call), openai.end(5)],
  uses: (tokens) => [openai.end(tokens)],
};

const anthropicApi = {
  block: (index: number, content_block: object) => ({
    type: "content_block_start",
    index,
    content_block,
  }),
  delta: (index: number, delta: object) => ({ type: "content_block_delta", index, delta }),
  stop: (index: number) => ({ type: "content_block_stop", index }),
  end: (stop_reason: string, tokens = 5) => [
    { type: "message_delta", delta: { stop_reason }, usage: { output_tokens: tokens } },
    { type: "message_stop" },
  ],
};

const anthropic: Api = {
  create: (options) => new AnthropicClient(options),
  provider: { wire_api: "anthropic" },
  answer: [
    { type: "message_start", message: { id: "msg_01", usage: { input_tokens: 10 } } },
    anthropicApi.block(0, { type: "text", text: "" }),
    anthropicApi.delta(0, { type: "text_delta", text }),
    anthropicApi.stop(0),
    anthropicApi.block(1, { type: "tool_use", id: "toolu_1", name: "add", input: {} }),
    anthropicApi.delta(1, { type: "input_json_delta", partial_json: '{"a":' }),
    anthropicApi.delta(1, { type: "input_json_delta", partial_json: "1}" }),
    anthropicApi.stop(1),
    ...anthropicApi.end("tool_use"),
  ],
  says: (piece) => anthropicApi.delta(0, { type: "text_delta", text: piece }),
  calls: (count) => [
    ...numbers(count).flatMap((at) => [
      anthropicApi.block(at, { type: "tool_use", id: `t${at}`, name: "add", input: { a: 1 } }),
      anthropicApi.stop(at),
    ]),
    ...anthropicApi.end("tool_use"),
  ],
  uses: (tokens) => [
    { type: "message_start", message: { id: "m", usage: { input_tokens: tokens } } },
    ...anthropicApi.end("end_turn", tokens),
  ],
};

const chunkOf = (parts: object[], more: object = {}) => ({
  responseId: "r1",
  candidates: [{ content: { role: "model", parts }, ...more }],
});
const geminiEnd = (parts: object[], tokens = 5) => ({
  ...chunkOf(parts, { finishReason: "STOP" }),
  usageMetadata: {
    promptTokenCount: tokens,
    cachedContentTokenCount: tokens,
    candidatesTokenCount: tokens,
    thoughtsTokenCount: tokens,
    totalTokenCount: tokens,
  },
});
const geminiCall = { functionCall: { name: "add", args: { a: 1 } } };

const gemini: Api = {
  create: (options) => new GeminiClient(options),
  provider: { wire_api: "gemini" },
  answer: [chunkOf([{ text: "Hm.", thought: true }]), chunkOf([{ text }]), geminiEnd([geminiCall])],
  says: (piece) => chunkOf([{ text: piece }]),
  calls: (count) => [geminiEnd(numbers(count).map(() => geminiCall))],
  uses: (tokens) => [geminiEnd([{ text: "Hi." }], tokens)],
};

const choice = (delta: object, finish_reason: string | null = null) => ({
  id: "chatcmpl-1",
  choices: [{ index: 0, delta, finish_reason }],
});
const chatUsage = (tokens: number) => ({
  id: "chatcmpl-1",
  choices: [],
  usage: {
    prompt_tokens: tokens,
    prompt_tokens_details: { cached_tokens: tokens },
    completion_tokens: tokens,
    completion_tokens_details: { reasoning_tokens: tokens },
    total_tokens: tokens,
  },
});
const chatCall = (index: number) => ({
  index,
  id: `call_${index}`,
  function: { name: "add", arguments: '{"a":1}' },
});

const chat: Api = {
  create: (options) => new ChatClient(options),
  provider: { wire_api: "chat" },
  answer: [
    choice({ content: text }),
    choice({ tool_calls: [{ index: 0, id: "c", function: { name: "add", arguments: '{"a":' } }] }),
    choice({ tool_calls: [{ index: 0, function: { arguments: "1}" } }] }),
    choice({}, "tool_calls"),
    chatUsage(5),
    "[DONE]",
  ],
  says: (piece) => choice({ content: piece }),
  calls: (count) => [
    choice({ tool_calls: numbers(count).map(chatCall) }),
    choice({}, "tool_calls"),
    chatUsage(5),
  ],
  uses: (tokens) => [choice({ content: "Hi." }, "stop"), chatUsage(tokens)],
};

/** All APIs that are asked over HTTP, by name. */
export const apis: Record<string, Api> = { responses, anthropic, gemini, chat };
