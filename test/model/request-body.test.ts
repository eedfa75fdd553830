import { describe, expect, test } from "vitest";
import { RequestBodies } from "../../src/model/responses-client.js";
import { scriptedProvider } from "../../src/model/scripted/index.js";
import type { ModelProvider, Prompt } from "../../src/model/types.js";
import type { ResponseItem } from "../../src/protocol/types.js";
import { promptOf } from "../support/model.js";

function bodyOf(prompt: Prompt, provider: Partial<ModelProvider> = {}): string {
  return new RequestBodies({ ...scriptedProvider, ...provider }).write(prompt).toString();
}

function inputOf(input: ResponseItem[], provider: Partial<ModelProvider> = {}): unknown {
  return JSON.parse(bodyOf(promptOf({ input }), provider)).input;
}

const conversation: ResponseItem[] = [
  {
    type: "message",
    id: "msg_1",
    role: "assistant",
    content: [{ type: "output_text", text: "é" }],
  },
  { type: "reasoning", id: "rs_1", summary: [{ type: "summary_text", text: "t" }] },
  { type: "function_call", id: "fc_1", name: "shell", arguments: "{}", call_id: "c1" },
  { type: "function_call_output", call_id: "c1", output: "ok" },
  { type: "custom_tool_call", id: "ct_1", call_id: "p1", name: "apply_patch", input: "x" },
  { type: "custom_tool_call_output", call_id: "p1", output: "ok" },
  {
    type: "local_shell_call",
    id: "ls_1",
    status: "completed",
    action: { type: "exec", command: ["ls"] },
  },
  {
    type: "web_search_call",
    id: "ws_1",
    status: "completed",
    action: { type: "search", query: "q" },
  },
];

describe("the body", () => {
  test("has its keys in the order of the reference", () => {
    const prompt = promptOf({
      reasoning: { effort: "low", summary: "auto" },
      verbosity: "high",
      outputSchema: { type: "object" },
    });

    expect(bodyOf(prompt)).toBe(
      '{"model":"mock-model","instructions":"Be brief.",' +
        '"input":[{"type":"message","role":"user","content":[{"type":"input_text","text":"go"}]}],' +
        '"tools":[],"tool_choice":"auto","parallel_tool_calls":false,' +
        '"reasoning":{"effort":"low","summary":"auto"},"store":false,"stream":true,' +
        '"include":["reasoning.encrypted_content"],"prompt_cache_key":"conversation-1",' +
        '"text":{"verbosity":"high","format":{"type":"json_schema","strict":true,' +
        '"schema":{"type":"object"},"name":"codex_output_schema"}}}',
    );
  });

  test("asks for no reasoning where the model has none", () => {
    expect(JSON.parse(bodyOf(promptOf()))).toMatchObject({ reasoning: null, include: [] });
  });

  test("leaves out a summary that is not wanted", () => {
    const body = bodyOf(promptOf({ reasoning: { effort: "medium", summary: "none" } }));

    expect(JSON.parse(body).reasoning).toEqual({ effort: "medium" });
  });

  test("names the previous response to providers that keep them", () => {
    const body = JSON.parse(bodyOf(promptOf({ previousResponseId: "resp_7" }), { store: true }));

    expect(body).toMatchObject({ store: true, previous_response_id: "resp_7" });
  });

  test("has the tools as they are", () => {
    const tools = [{ type: "local_shell" as const }, { type: "web_search" as const }];

    expect(JSON.parse(bodyOf(promptOf({ tools }))).tools).toEqual(tools);
  });
});

describe("the items", () => {
  test("go back without their ids", () => {
    expect(inputOf(conversation)).toEqual([
      { type: "message", role: "assistant", content: [{ type: "output_text", text: "é" }] },
      {
        type: "reasoning",
        summary: [{ type: "summary_text", text: "t" }],
        content: null,
        encrypted_content: null,
      },
      { type: "function_call", name: "shell", arguments: "{}", call_id: "c1" },
      { type: "function_call_output", call_id: "c1", output: "ok" },
      { type: "custom_tool_call", call_id: "p1", name: "apply_patch", input: "x" },
      { type: "custom_tool_call_output", call_id: "p1", output: "ok" },
      {
        type: "local_shell_call",
        call_id: null,
        status: "completed",
        action: { type: "exec", command: ["ls"] },
      },
      { type: "web_search_call", status: "completed", action: { type: "search", query: "q" } },
    ]);
  });

  test("keep their ids towards Azure, which also stores the response", () => {
    const azure = { name: "Azure", base_url: "https://x.openai.azure.com/openai" };
    const body = JSON.parse(bodyOf(promptOf({ input: conversation }), azure));

    expect(body.store).toBe(true);
    expect(body.input.map((item: { id?: string }) => item.id)).toEqual([
      "msg_1",
      "rs_1",
      "fc_1",
      undefined,
      "ct_1",
      undefined,
      "ls_1",
      "ws_1",
    ]);
  });

  test("that the model must not see are left out", () => {
    const user: ResponseItem = { type: "message", role: "user", content: [] };

    expect(
      inputOf([
        { type: "other" },
        { type: "message", role: "system", content: [] },
        user,
        { type: "ghost_snapshot", ghost_commit: {} },
      ]),
    ).toEqual([user]);
  });

  test("include raw reasoning only in the kind that servers accept", () => {
    const reasoning = (type: "reasoning_text" | "text"): ResponseItem => ({
      type: "reasoning",
      summary: [],
      content: [{ type, text: "raw" }],
      encrypted_content: "ENC",
    });

    expect(inputOf([reasoning("reasoning_text"), reasoning("text")])).toEqual([
      {
        type: "reasoning",
        summary: [],
        content: [{ type: "reasoning_text", text: "raw" }],
        encrypted_content: "ENC",
      },
      { type: "reasoning", summary: [], encrypted_content: "ENC" },
    ]);
  });

  test("are written once, however often they are sent", () => {
    const bodies = new RequestBodies(scriptedProvider);
    let written = 0;
    const item: ResponseItem = {
      type: "message",
      role: "user",
      content: [
        {
          type: "input_text",
          text: "go",
          toJSON: () => {
            written++;
            return { type: "input_text", text: "go" };
          },
        } as never,
      ],
    };

    const [first, second] = [1, 2].map(() => bodies.write(promptOf({ input: [item, item] })));

    expect(second).toEqual(first);
    expect(JSON.parse(String(first)).input).toHaveLength(2);
    expect(written).toBe(1);
  });
});

test("if complete items are sent, each has a stable id and the fields that models add", () => {
  const bodies = new RequestBodies(scriptedProvider, { sendsItemIds: true });
  const input: ResponseItem[] = [
    { type: "message", role: "user", content: [{ type: "input_text", text: "hi" }] },
    {
      type: "message",
      id: "msg_1",
      role: "assistant",
      content: [{ type: "output_text", text: "Hello." }],
    },
    { type: "function_call", id: "fc_1", name: "f", arguments: "{}", call_id: "c1" },
    { type: "function_call_output", call_id: "c1", output: "done" },
  ];
  const read = () =>
    (JSON.parse(bodies.write(promptOf({ input })).toString()) as { input: unknown[] }).input;

  const first = read();

  expect(first).toEqual([
    { ...input[0], id: expect.stringMatching(/^msg_[0-9a-f-]{36}$/) },
    {
      ...input[1],
      status: "completed",
      content: [{ type: "output_text", text: "Hello.", annotations: [] }],
    },
    { ...input[2], status: "completed" },
    { ...input[3], id: expect.stringMatching(/^fco_[0-9a-f-]{36}$/) },
  ]);
  expect(read()).toEqual(first);
});
