import { describe, expect, test } from "vitest";
import { toContents } from "../../../src/model/gemini/contents.js";
import { GeminiClient } from "../../../src/model/gemini/index.js";
import { packState } from "../../../src/model/lowered/provider-state.js";
import type { FunctionToolSpec, ResponseItem } from "../../../src/protocol/types.js";
import { askOnce, type ClientUnderTest } from "../lowered/ask-client.js";

const gemini: ClientUnderTest = {
  create: (options) => new GeminiClient(options),
  provider: { wire_api: "gemini" },
};
const add: FunctionToolSpec = {
  type: "function",
  name: "add",
  description: "Adds.",
  strict: false,
  parameters: { type: "object", properties: {} },
};
const chunk = (parts: object[], more: object = {}) => ({
  responseId: "r1",
  candidates: [{ content: { role: "model", parts }, ...more }],
});
const usageMetadata = {
  promptTokenCount: 10,
  cachedContentTokenCount: 4,
  candidatesTokenCount: 3,
  thoughtsTokenCount: 2,
  totalTokenCount: 15,
};
const last = (parts: object[], finishReason = "STOP") => ({
  ...chunk(parts, { finishReason }),
  usageMetadata,
});

describe("an answer of the Gemini API", () => {
  const chunks = [
    chunk([{ text: "Sum it.", thought: true }]),
    chunk([{ text: "I " }]),
    chunk([{ text: "add." }]),
    last([{ functionCall: { name: "add", args: { a: 1 } }, thoughtSignature: "sig" }]),
  ];

  test.each([
    ["in a stream", { chunks }],
    ["as a list", { body: chunks }],
  ])("%s becomes reasoning, a message and a signed call", async (_, answer) => {
    const { items, provider } = await askOnce(gemini, answer, { tools: [add] });

    const done = items.flatMap((item) => (item.type === "item_done" ? [item.item] : []));
    const call = done.at(-1);
    expect(done).toEqual([
      expect.objectContaining({ content: [{ type: "reasoning_text", text: "Sum it." }] }),
      expect.objectContaining({
        type: "reasoning",
        content: null,
        encrypted_content: packState(provider, {
          calls: { [call?.type === "function_call" ? call.call_id : ""]: "sig" },
        }),
      }),
      expect.objectContaining({ content: [{ type: "output_text", text: "I add." }] }),
      expect.objectContaining({ type: "function_call", name: "add", arguments: '{"a":1}' }),
    ]);
    expect(items.at(-1)).toEqual({
      type: "completed",
      responseId: "r1",
      usage: {
        input_tokens: 10,
        cached_input_tokens: 4,
        output_tokens: 5,
        reasoning_output_tokens: 2,
        total_tokens: 15,
      },
    });
  });

  test.each([
    ["a blocked prompt", { promptFeedback: { blockReason: "SAFETY" } }, "SAFETY", false],
    ["a blocked answer", last([{ text: "a" }], "RECITATION"), "RECITATION", false],
    ["a malformed call", last([], "MALFORMED_FUNCTION_CALL"), "MALFORMED_FUNCTION_CALL", true],
    ["an error", { error: { status: "INTERNAL", message: "Broken." } }, "Broken.", true],
  ])("with %s is a failure", async (_, broken, message, retryable) => {
    const { items } = await askOnce(gemini, { chunks: [broken] });

    expect(items.at(-1)).toMatchObject({
      type: "failed",
      failure: { message: expect.stringContaining(message), retryable },
    });
  });
});

describe("a request to the Gemini API", () => {
  test("names model and key, and has tools, thoughts and format", async () => {
    const { request } = await askOnce(
      gemini,
      { chunks: [last([{ text: "Hi." }])] },
      {
        model: "gemini-3-pro",
        tools: [add],
        reasoning: { effort: "low", summary: "auto" },
        outputSchema: { type: "object" },
      },
    );

    expect(request.url).toBe("/v1/models/gemini-3-pro:streamGenerateContent?alt=sse");
    expect(request.headers["x-goog-api-key"]).toBe("k");
    expect(request.body).toEqual({
      systemInstruction: { parts: [{ text: "Be brief." }] },
      contents: [{ role: "user", parts: [{ text: "go" }] }],
      tools: [
        {
          functionDeclarations: [
            { name: "add", description: "Adds.", parametersJsonSchema: add.parameters },
          ],
        },
      ],
      generationConfig: {
        thinkingConfig: { includeThoughts: true, thinkingLevel: "low" },
        responseMimeType: "application/json",
        responseJsonSchema: { type: "object" },
      },
    });
  });

  test("returns signatures with their parts, and pictures after results", () => {
    const image: ResponseItem = {
      type: "function_call_output",
      call_id: "c1",
      output: [
        { type: "input_text", text: "1" },
        { type: "input_image", image_url: "data:image/png;base64,AAAA" },
      ],
    };
    const contents = toContents([
      {
        role: "model",
        parts: [
          {
            type: "reasoning",
            text: "Hm.",
            state: { calls: { c1: "s1" }, text: "s2" },
            isOfTurn: false,
          },
          { type: "text", text: "a" },
          { type: "call", id: "c1", name: "add", arguments: "{}" },
          { type: "call", id: "c2", name: "add", arguments: "no json" },
        ],
      },
      { role: "user", parts: [{ type: "result", id: "c1", name: "add", output: image.output }] },
    ]);

    expect(contents).toEqual([
      {
        role: "model",
        parts: [
          { text: "a", thoughtSignature: "s2" },
          { functionCall: { name: "add", args: {} }, thoughtSignature: "s1" },
          { functionCall: { name: "add", args: {} } },
        ],
      },
      {
        role: "user",
        parts: [
          { functionResponse: { name: "add", response: { output: "1" } } },
          { inlineData: { mimeType: "image/png", data: "AAAA" } },
        ],
      },
    ]);
  });
});
