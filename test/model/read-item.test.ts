import { expect, test } from "vitest";
import { readItem } from "../../src/model/read-item.js";

test.each([
  [
    "a message without what only servers care for",
    {
      id: "msg_1",
      type: "message",
      role: "assistant",
      status: "completed",
      content: [{ type: "output_text", text: "hi", annotations: [], logprobs: [] }],
    },
    {
      type: "message",
      id: "msg_1",
      role: "assistant",
      content: [{ type: "output_text", text: "hi" }],
    },
  ],
  [
    "a refusal as what the model said",
    { type: "message", role: "assistant", content: [{ type: "refusal", refusal: "No." }] },
    { type: "message", role: "assistant", content: [{ type: "output_text", text: "No." }] },
  ],
  [
    "a message without the parts nobody knows",
    {
      type: "message",
      role: "user",
      content: [{ type: "audio" }, "x", null],
      phase: "final_answer",
    },
    { type: "message", role: "user", content: [], phase: "final_answer" },
  ],
  [
    "reasoning with everything",
    {
      id: "rs_1",
      type: "reasoning",
      summary: [{ type: "summary_text", text: "s" }],
      content: [{ type: "reasoning_text", text: "r" }],
      encrypted_content: "ENC",
    },
    {
      type: "reasoning",
      id: "rs_1",
      summary: [{ type: "summary_text", text: "s" }],
      content: [{ type: "reasoning_text", text: "r" }],
      encrypted_content: "ENC",
    },
  ],
  [
    "reasoning with nothing",
    { type: "reasoning", summary: [] },
    { type: "reasoning", summary: [], content: null, encrypted_content: null },
  ],
  [
    "a call with its namespace",
    { type: "function_call", name: "echo", namespace: "mcp__x", arguments: "{", call_id: "c" },
    { type: "function_call", name: "echo", namespace: "mcp__x", arguments: "{", call_id: "c" },
  ],
  [
    "a custom call",
    {
      type: "custom_tool_call",
      id: "ct",
      status: "completed",
      name: "p",
      input: "i",
      call_id: "c",
    },
    {
      type: "custom_tool_call",
      id: "ct",
      status: "completed",
      call_id: "c",
      name: "p",
      input: "i",
    },
  ],
  [
    "a shell call",
    {
      type: "local_shell_call",
      id: "ls",
      call_id: "c",
      status: "completed",
      action: { type: "exec", command: ["ls"], timeout_ms: 5, env: { A: "1", B: 2 } },
    },
    {
      type: "local_shell_call",
      id: "ls",
      call_id: "c",
      status: "completed",
      action: {
        type: "exec",
        command: ["ls"],
        timeout_ms: 5,
        working_directory: null,
        env: { A: "1" },
        user: null,
      },
    },
  ],
  [
    "a web search that has just begun",
    { type: "web_search_call", id: "ws", status: "in_progress" },
    { type: "web_search_call", id: "ws", status: "in_progress" },
  ],
  [
    "a web search by its action",
    { type: "web_search_call", action: { type: "find_in_page", url: "u", pattern: "p" } },
    { type: "web_search_call", action: { type: "find_in_page", url: "u", pattern: "p" } },
  ],
  [
    "an action on the web nobody knows",
    { type: "web_search_call", action: { type: "dance" } },
    { type: "web_search_call", action: { type: "other" } },
  ],
  [
    "a compaction under its older name",
    { type: "compaction_summary", encrypted_content: "E" },
    { type: "compaction", encrypted_content: "E" },
  ],
  ["a kind nobody knows", { type: "hologram", data: 1 }, { type: "other" }],
  ["a kind that looks like a method", { type: "constructor" }, { type: "other" }],
])("reads %s", (_, sent, expected) => {
  expect(readItem(sent)).toEqual(expected);
});

test.each([
  [{ type: "message" }],
  [{ type: "message", role: "assistant", content: "text" }],
  [{ type: "reasoning" }],
  [{ type: "function_call", name: "shell", arguments: {}, call_id: "c" }],
  [{ type: "function_call", name: "shell", arguments: "{}" }],
  [{ type: "custom_tool_call", name: "p", call_id: "c" }],
  [{ type: "local_shell_call", status: "completed", action: { type: "exec", command: "ls" } }],
  [{ type: "local_shell_call", status: "strange", action: { type: "exec", command: [] } }],
  [{ type: "compaction" }],
  [{ type: 7 }],
  [null],
  ["message"],
  [[]],
])("skips %j, which lacks a required field", (sent) => {
  expect(readItem(sent)).toBeUndefined();
});

test("a search whose arguments are nested too deeply to be written again is no item", () => {
  const nested = (levels: number) => JSON.parse("[".repeat(levels) + "]".repeat(levels));
  const search = { type: "tool_search_call", call_id: "c", execution: "client" };

  expect(readItem({ ...search, arguments: nested(90) })).toMatchObject(search);
  expect(readItem({ ...search, arguments: nested(100_000) })).toBeUndefined();
});
