import { expect, test } from "vitest";
import {
  type ChatMessage,
  type ReasoningField,
  toMessages,
} from "../../../src/model/chat/messages.js";
import { packState } from "../../../src/model/lowered/provider-state.js";
import type { ResponseItem } from "../../../src/protocol/types.js";

const provider = { wire_api: "chat", base_url: "http://here/v1" } as const;
const to = (reasoningField: ReasoningField) => ({ reasoningField, provider });

const text = (role: string, assistantMessages: string): ResponseItem => ({
  type: "message",
  role,
  content: [{ type: role === "assistant" ? "output_text" : "input_text", text: assistantMessages }],
});
const call = (call_id: string): ResponseItem => ({
  type: "function_call",
  name: "f",
  arguments: "{}",
  call_id,
});
const output = (call_id: string, assistantMessages = `${call_id} done`): ResponseItem => ({
  type: "function_call_output",
  call_id,
  output: assistantMessages,
});
const thinks = (assistantMessages: string): ResponseItem => ({
  type: "reasoning",
  summary: [],
  content: [{ type: "reasoning_text", text: assistantMessages }],
});
const toolCall = (id: string, name = "f", args = "{}") => ({
  id,
  type: "function",
  function: { name, arguments: args },
});
const toolSays = (id: string, content = `${id} done`) => ({
  role: "tool",
  tool_call_id: id,
  content,
});

/** The messages after the system message. */
function messagesOf(input: ResponseItem[]): ChatMessage[] {
  const [system, ...rest] = toMessages({ instructions: "Be brief.", input }, to("reasoning"));
  expect(system).toEqual({ role: "system", content: "Be brief." });
  return rest;
}

test("the instructions are the system message, with leading developer messages", () => {
  const input = [text("developer", "Use tabs."), text("user", "hi"), text("developer", "Now!")];

  expect(toMessages({ instructions: "Be brief.", input }, to("reasoning"))).toEqual([
    { role: "system", content: "Be brief.\n\nUse tabs." },
    { role: "user", content: "hi" },
    { role: "user", content: "Now!" },
  ]);
});

test("text and calls of one response are one message, and outputs follow their calls", () => {
  const input = [
    text("user", "go"),
    text("assistant", "On it."),
    call("c1"),
    call("c2"),
    text("user", "faster"),
    output("c2"),
    output("c1"),
    text("assistant", "Done."),
  ];

  expect(messagesOf(input)).toEqual([
    { role: "user", content: "go" },
    { role: "assistant", content: "On it.", tool_calls: [toolCall("c1"), toolCall("c2")] },
    toolSays("c1"),
    toolSays("c2"),
    { role: "user", content: "faster" },
    { role: "assistant", content: "Done." },
  ]);
});

test("calls that were made one after the other stay so", () => {
  expect(messagesOf([call("c1"), output("c1"), call("c2"), output("c2")])).toEqual([
    { role: "assistant", content: null, tool_calls: [toolCall("c1")] },
    toolSays("c1"),
    { role: "assistant", content: null, tool_calls: [toolCall("c2")] },
    toolSays("c2"),
  ]);
});

test("a call without an output counts as aborted, an output without a call as nothing", () => {
  expect(messagesOf([call("c1"), output("c9")])).toEqual([
    { role: "assistant", content: null, tool_calls: [toolCall("c1")] },
    toolSays("c1", "aborted"),
  ]);
});

test("calls of other kinds become functions", () => {
  const input: ResponseItem[] = [
    { type: "custom_tool_call", call_id: "c1", name: "apply_patch", input: "*** Begin" },
    { type: "custom_tool_call_output", call_id: "c1", output: "ok" },
    {
      type: "local_shell_call",
      id: "c2",
      call_id: null,
      status: "completed",
      action: { type: "exec", command: ["ls"], timeout_ms: 5, working_directory: "/tmp" },
    },
    output("c2"),
  ];

  expect(messagesOf(input)).toEqual([
    {
      role: "assistant",
      content: null,
      tool_calls: [toolCall("c1", "apply_patch", '{"input":"*** Begin"}')],
    },
    toolSays("c1", "ok"),
    {
      role: "assistant",
      content: null,
      tool_calls: [toolCall("c2", "shell", '{"command":["ls"],"workdir":"/tmp","timeout_ms":5}')],
    },
    toolSays("c2"),
  ]);
});

test("pictures go along, also those of tools", () => {
  const image_url = "data:image/png;base64,AA==";
  const input: ResponseItem[] = [
    {
      type: "message",
      role: "user",
      content: [
        { type: "input_text", text: "look" },
        { type: "input_image", image_url, detail: "high" },
      ],
    },
    call("c1"),
    call("c2"),
    {
      type: "function_call_output",
      call_id: "c1",
      output: [
        { type: "input_text", text: "one" },
        { type: "input_image", image_url },
      ],
    },
    output("c2"),
  ];

  expect(messagesOf(input)).toEqual([
    {
      role: "user",
      content: [
        { type: "text", text: "look" },
        { type: "image_url", image_url: { url: image_url, detail: "high" } },
      ],
    },
    { role: "assistant", content: null, tool_calls: [toolCall("c1"), toolCall("c2")] },
    toolSays("c1", "one"),
    toolSays("c2"),
    {
      role: "user",
      content: [
        { type: "text", text: expect.any(String) },
        { type: "image_url", image_url: { url: image_url } },
      ],
    },
  ]);
});

test("items without a format in this API are omitted", () => {
  const input: ResponseItem[] = [
    text("system", "never sent"),
    { type: "web_search_call", id: "ws", action: { type: "search", query: "q" } },
    { type: "compaction", encrypted_content: "x" },
    { type: "other" },
    text("user", "hi"),
  ];

  expect(messagesOf(input)).toEqual([{ role: "user", content: "hi" }]);
});

test("the same message recorded twice in a row is one", () => {
  const input = [text("assistant", "a"), text("assistant", "a"), text("assistant", "b")];

  expect(messagesOf(input)).toEqual([
    { role: "assistant", content: "a" },
    { role: "assistant", content: "b" },
  ]);
});

test.each<[string, ResponseItem[], (string | undefined)[]]>([
  ["before a call", [text("user", "u"), thinks("r"), call("c1"), output("c1")], ["r"]],
  ["before a message", [text("user", "u"), thinks("r"), text("assistant", "a")], ["r"]],
  ["after a message", [text("user", "u"), text("assistant", "a"), thinks("r")], ["r"]],
  ["of earlier turns", [text("assistant", "a"), thinks("r"), text("user", "u")], [undefined]],
  ["without words", [text("user", "u"), text("assistant", "a"), thinks("  ")], [undefined]],
  [
    "of several requests of a turn",
    [text("user", "u"), thinks("1"), call("c1"), output("c1"), thinks("2"), text("assistant", "a")],
    ["1", "2"],
  ],
])("reasoning %s is sent back only with its message of this turn", (_, input, expected) => {
  const assistantMessages = messagesOf(input).filter((message) => message.role === "assistant");

  expect(assistantMessages.map((message) => message.reasoning)).toEqual(expected);
});

test("reasoning goes back under the server's own name for it", () => {
  const input = [text("user", "u"), thinks("r"), text("assistant", "a")];

  expect(toMessages({ instructions: "", input }, to("reasoning_content")).at(-1)).toEqual({
    role: "assistant",
    content: "a",
    reasoning_content: "r",
  });
});

test("data of the server goes back to it with the calls and the reasoning", () => {
  const details = [{ type: "reasoning.encrypted", data: "e", index: 0 }];
  const google = { google: { thought_signature: "s" } };
  const state = { reasoning_details: details, calls: { c1: google } };
  const item = (from: Parameters<typeof packState>[0]): ResponseItem => ({
    type: "reasoning",
    summary: [],
    content: [{ type: "reasoning_text", text: "r" }],
    encrypted_content: packState(from, state),
  });
  const after = [call("c1"), output("c1")];
  const first = (input: ResponseItem[]) =>
    messagesOf(input).find((message) => message.role === "assistant");
  const signed = { ...toolCall("c1"), extra_content: google };

  const own = first([text("user", "u"), item(provider), ...after]);
  const earlier = first([text("user", "u"), item(provider), ...after, text("user", "v")]);
  const foreign = first([
    text("user", "u"),
    item({ ...provider, base_url: "http://there" }),
    ...after,
  ]);

  expect(own).toEqual({
    role: "assistant",
    content: null,
    tool_calls: [signed],
    reasoning_details: details,
  });
  expect(earlier).toEqual({ role: "assistant", content: null, tool_calls: [signed] });
  expect(foreign).toEqual({
    role: "assistant",
    content: null,
    tool_calls: [toolCall("c1")],
    reasoning: "r",
  });
});
