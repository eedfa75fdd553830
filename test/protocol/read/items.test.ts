import { describe, expect, test } from "vitest";
import {
  parseResponseInputItem,
  parseResponseItem,
  parseShellArguments,
} from "../../../src/protocol/read/index.js";

describe("items are read", () => {
  test.each([
    ["of an unknown kind as other", { type: "teleport", to: "mars" }, { type: "other" }],
    ["of no kind as other when it says so", { type: "other", x: 1 }, { type: "other" }],
    [
      "without the fields that only the model needs",
      {
        type: "message",
        id: "m",
        status: "completed",
        role: "assistant",
        content: [{ type: "output_text", text: "t", annotations: [], logprobs: [] }],
      },
      {
        type: "message",
        id: "m",
        role: "assistant",
        content: [{ type: "output_text", text: "t" }],
      },
    ],
    [
      "without parts of kinds not known",
      {
        type: "message",
        role: "user",
        content: [{ type: "smell" }, { type: "input_text", text: "t" }],
      },
      { type: "message", role: "user", content: [{ type: "input_text", text: "t" }] },
    ],
    [
      "with the older name of the time limit",
      {
        type: "local_shell_call",
        status: "completed",
        action: { type: "exec", command: ["ls"], timeout: 5 },
      },
      {
        type: "local_shell_call",
        status: "completed",
        action: { type: "exec", command: ["ls"], timeout_ms: 5 },
      },
    ],
    [
      "with the older form of an output",
      { type: "function_call_output", call_id: "c", output: { content: "ok", success: true } },
      { type: "function_call_output", call_id: "c", output: "ok" },
    ],
    [
      "with an output in parts",
      { type: "function_call_output", call_id: "c", output: [{ type: "input_text", text: "t" }] },
      { type: "function_call_output", call_id: "c", output: [{ type: "input_text", text: "t" }] },
    ],
    [
      "with an action not known as other",
      { type: "web_search_call", action: { type: "buy" } },
      { type: "web_search_call", action: { type: "other" } },
    ],
    [
      "with no action yet",
      { type: "web_search_call", id: null, status: "in_progress", action: null },
      { type: "web_search_call", status: "in_progress" },
    ],
    [
      "with the newer name of a compaction",
      { type: "compaction_summary", encrypted_content: "e" },
      { type: "compaction", encrypted_content: "e" },
    ],
  ])("%s", (_, sent, read) => {
    expect(parseResponseItem(sent)).toEqual(read);
  });
});

test.each([
  [{ type: "message", role: "user" }, "item.content is missing."],
  [{ type: "function_call", name: "x", call_id: "c" }, "item.arguments is missing."],
  [
    { type: "function_call_output", call_id: "c", output: 5 },
    "item.output must be a string, not 5.",
  ],
  ["message", 'item must be an object, not "message".'],
  [{}, "item.type must be a string that says which kind it is."],
])("%j is refused", (item, message) => {
  expect(() => parseResponseItem(item)).toThrow(message);
});

test("the result of an MCP tool is read plain and wrapped", () => {
  const item = { type: "mcp_tool_call_output", call_id: "c" };

  expect(parseResponseInputItem({ ...item, result: { Err: "no" } })).toEqual({
    ...item,
    result: "no",
  });
  expect(parseResponseInputItem({ ...item, result: { content: [] } })).toEqual({
    ...item,
    result: { content: [] },
  });
});

test("the arguments of the shell tool have an older name for the time limit", () => {
  expect(parseShellArguments({ command: ["ls"], timeout: 5, workdir: null })).toEqual({
    command: ["ls"],
    timeout_ms: 5,
  });
  expect(() => parseShellArguments({ command: "ls" })).toThrow(
    'arguments.command must be a list, not "ls".',
  );
});
