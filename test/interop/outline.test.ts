import { expect, test } from "vitest";
import { answered, patch, prompts } from "../../interop/conversation.js";
import { outline } from "../../interop/outline.js";

function message(role: string, text: string) {
  return { type: "message", role, content: [{ type: "input_text", text }] };
}

test("context items are omitted, and messages stay in order", () => {
  const input = [
    message("developer", "be brief"),
    message("user", "<environment_context>\n  <cwd>/w</cwd>\n</environment_context>"),
    message("user", "# AGENTS.md instructions for /w"),
    message("user", prompts.greet),
    message("assistant", answered.greet),
    message("user", "<turn_aborted>\nstopped\n</turn_aborted>"),
  ];

  expect(outline({ input })).toEqual([
    `user: ${prompts.greet}`,
    `assistant: ${answered.greet}`,
    "marked as interrupted",
  ]);
});

test("a summary is the same whether it contains the user's messages or follows them", () => {
  const inOne = [
    message("user", `They said ${prompts.greet} and ${prompts.count}. ${answered.summary}`),
  ];
  const apart = [
    message("user", prompts.greet),
    message("user", prompts.count),
    message("user", `So far: ${answered.summary}`),
  ];

  const lines = [`user: ${prompts.greet}`, `user: ${prompts.count}`, "summary"];
  expect(outline({ input: inOne })).toEqual(lines);
  expect(outline({ input: apart })).toEqual(lines);
});

test("calls and outputs are summarized, other items are complete", () => {
  const input = [
    { type: "custom_tool_call", call_id: "p", name: "apply_patch", input: patch },
    { type: "custom_tool_call_output", call_id: "p", output: "aborted" },
    { type: "function_call", call_id: "c", name: "shell", arguments: '{"cmd":"cat tide.txt"}' },
    { type: "function_call_output", call_id: "c", output: "Output:\nhigh water at noon\n" },
    { type: "reasoning", summary: [] },
  ];

  expect(outline({ input })).toEqual([
    "p: apply_patch",
    "p → aborted",
    "c: cat tide.txt",
    "c → high water at noon",
    "reasoning",
  ]);
});
