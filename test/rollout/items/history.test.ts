import fc from "fast-check";
import { expect, test } from "vitest";
import type { ResponseItem } from "../../../src/protocol/types.js";
import { lengthWithoutLastTurns, normalizeItems } from "../../../src/rollout/items/history.js";
import { message } from "../support.js";

const call = (id: string): ResponseItem => ({
  type: "function_call",
  name: "f",
  arguments: "{}",
  call_id: id,
});
const custom = (id: string): ResponseItem => ({
  type: "custom_tool_call",
  name: "f",
  input: "",
  call_id: id,
});
const output = (id: string, text = "ok"): ResponseItem => ({
  type: "function_call_output",
  call_id: id,
  output: text,
});
const customOutput = (id: string, text = "ok"): ResponseItem => ({
  type: "custom_tool_call_output",
  call_id: id,
  output: text,
});
const shell = (fields: object): ResponseItem =>
  ({
    type: "local_shell_call",
    status: "completed",
    action: { type: "exec", command: ["ls"] },
    ...fields,
  }) as ResponseItem;

test.each<[string, ResponseItem[], ResponseItem[]]>([
  ["a call without an output", [call("a")], [call("a"), output("a", "aborted")]],
  ["a custom call without an output", [custom("a")], [custom("a"), customOutput("a", "aborted")]],
  ["an output without a call", [output("a"), message("user", "x")], [message("user", "x")]],
  [
    "families that share an id",
    [call("a"), customOutput("a")],
    [call("a"), output("a", "aborted")],
  ],
  [
    "a local shell call that has only an item id",
    [shell({ id: "s" })],
    [shell({ id: "s" }), output("s", "aborted")],
  ],
  ["a local shell call without any id", [shell({})], [shell({})]],
  [
    "one call of two",
    [call("a"), call("b"), output("b")],
    [call("a"), output("a", "aborted"), call("b"), output("b")],
  ],
])("completes %s", (_name, items, expected) => {
  expect(normalizeItems(items)).toEqual(expected);
});

test("a complete list is returned as it is", () => {
  const items = [message("user", "x"), call("a"), output("a"), custom("b"), customOutput("b")];

  expect(normalizeItems(items)).toBe(items);
});

test("a normalized list needs no further change", () => {
  const anyItem = fc
    .tuple(fc.constantFrom(call, custom, output, customOutput), fc.constantFrom("a", "b", "c"))
    .map(([make, id]) => make(id));

  fc.assert(
    fc.property(fc.array(anyItem), (items) => {
      const once = normalizeItems(items);

      expect(normalizeItems(once)).toEqual(once);
    }),
  );
});

test.each([
  [0, 7],
  [1, 5],
  [2, 2],
  [9, 2],
])("rolling back %i turns leaves %i items", (turns, length) => {
  const items = [
    message("developer", "rules"),
    message("user", "<environment_context>x</environment_context>"),
    message("user", "one"),
    message("assistant", "1"),
    message("user", "<turn_aborted>\nstopped\n</turn_aborted>"),
    message("user", "two"),
    message("assistant", "2"),
  ];

  expect(lengthWithoutLastTurns(items, turns)).toBe(length);
});
