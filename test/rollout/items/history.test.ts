import { expect, test } from "vitest";
import { normalizeItems } from "../../../src/rollout/index.js";
import { message } from "../support.js";

test("a list without loose ends is handed back as it is", () => {
  const items = [
    message("user", "hi"),
    { type: "function_call", name: "f", arguments: "{}", call_id: "c" } as const,
    { type: "function_call_output", call_id: "c", output: "done" } as const,
  ];

  expect(normalizeItems(items)).toBe(items);
});

test("calls and outputs of different kinds do not answer each other", () => {
  const items = [
    { type: "custom_tool_call", name: "f", input: "", call_id: "c" } as const,
    { type: "function_call_output", call_id: "c", output: "done" } as const,
  ];

  expect(normalizeItems(items)).toEqual([
    items[0],
    { type: "custom_tool_call_output", call_id: "c", output: "aborted" },
  ]);
});
