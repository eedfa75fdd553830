import { describe, expect, test } from "vitest";
import * as protocol from "../../../src/protocol/index.js";
import type { ResponseInputItem, ResponseItem } from "../../../src/protocol/types.js";
import { membersOf } from "../sqeq/members.js";

/** An item of every type, with its required fields; an item without a sample does not compile. */
const items: { [Type in ResponseItem["type"]]: Extract<ResponseItem, { type: Type }> } = {
  agent_message: {
    type: "agent_message",
    author: "/root",
    recipient: "/root/tests",
    content: [
      { type: "input_text", text: "Message Type: NEW_TASK" },
      { type: "encrypted_content", encrypted_content: "run the tests" },
    ],
  },
  compaction: { type: "compaction", encrypted_content: "x" },
  custom_tool_call: { type: "custom_tool_call", call_id: "c", name: "apply_patch", input: "*" },
  custom_tool_call_output: { type: "custom_tool_call_output", call_id: "c", output: "done" },
  function_call: { type: "function_call", call_id: "c", name: "shell", arguments: "{}" },
  function_call_output: { type: "function_call_output", call_id: "c", output: "done" },
  ghost_snapshot: { type: "ghost_snapshot", ghost_commit: { id: "abc" } },
  image_generation_call: { type: "image_generation_call", status: "completed", result: "AAAA" },
  local_shell_call: {
    type: "local_shell_call",
    status: "completed",
    action: { type: "exec", command: ["ls"] },
  },
  message: { type: "message", role: "user", content: [{ type: "input_text", text: "hi" }] },
  other: { type: "other" },
  reasoning: { type: "reasoning", summary: [{ type: "summary_text", text: "thinking" }] },
  tool_search_call: {
    type: "tool_search_call",
    call_id: "c",
    execution: "client",
    arguments: { query: "mail" },
  },
  tool_search_output: {
    type: "tool_search_output",
    call_id: "c",
    status: "completed",
    execution: "client",
    tools: [{ type: "function", name: "send", defer_loading: true }],
  },
  web_search_call: { type: "web_search_call", action: { type: "search", query: "node 20" } },
};

describe.each(membersOf(protocol.ResponseItem))("the item $type", ({ type }) => {
  const sample = items[type as ResponseItem["type"]];

  test("is read as it was written", () => {
    const written: unknown = JSON.parse(JSON.stringify(sample));

    expect(protocol.parseResponseItem(written)).toEqual(written);
  });

  test("loses fields that are not known, because it is sent to the model again", () => {
    expect(protocol.parseResponseItem({ ...sample, of_the_future: 1 })).toEqual(sample);
  });

  test("is a line of a rollout", () => {
    const line = { timestamp: "2026-01-01T00:00:00.000Z", type: "response_item", payload: sample };

    expect(protocol.parseRolloutLine(line)).toEqual(line);
  });
});

test.each([
  [{ type: "message", role: "user" }, "content is missing"],
  [{ type: "function_call", call_id: "c", name: "shell" }, "arguments is missing"],
  [{ type: "function_call_output", output: "x" }, "call_id is missing"],
  [{ type: "custom_tool_call", call_id: "c", name: "x", input: 5 }, "input must be a string"],
  [{ type: "local_shell_call", status: "completed" }, "action is missing"],
])("%j is refused: %s", (item, message) => {
  expect(() => protocol.parseResponseItem(item)).toThrow(message);
});

test("an item of an unknown type is read as `other`", () => {
  expect(protocol.parseResponseItem({ type: "of_the_future", x: 1 })).toEqual({ type: "other" });
});

const text = { type: "text", text: "one" };
const inputs: { [Type in ResponseInputItem["type"]]: Extract<ResponseInputItem, { type: Type }> } =
  {
    custom_tool_call_output: items.custom_tool_call_output,
    function_call_output: items.function_call_output,
    mcp_tool_call_output: {
      type: "mcp_tool_call_output",
      call_id: "c",
      result: { content: [text] },
    },
    message: { type: "message", role: "user", content: [{ type: "input_text", text: "hi" }] },
  };

test.each(Object.values(inputs))("the input item $type is read as it was written", (item) => {
  expect(protocol.parseResponseInputItem(JSON.parse(JSON.stringify(item)))).toEqual(item);
});
