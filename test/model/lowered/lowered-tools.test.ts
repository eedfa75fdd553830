import { expect, test } from "vitest";
import { LoweredTools } from "../../../src/model/lowered/lowered-tools.js";
import type { ToolSpec } from "../../../src/protocol/types.js";

const patch: ToolSpec = {
  type: "custom",
  name: "apply_patch",
  description: "Changes files.",
  format: { type: "grammar", syntax: "lark", definition: "start: x" },
};
const plan: ToolSpec = {
  type: "function",
  name: "update_plan",
  description: "Plans.",
  strict: false,
  parameters: { type: "object" },
};
const all = new LoweredTools([
  { type: "local_shell" },
  plan,
  patch,
  { type: "web_search" },
  { ...plan, name: "shell" },
]);

test("only functions are offered, and no name twice", () => {
  expect(all.specs.map(({ type, function: { name } }) => [type, name])).toEqual([
    ["function", "shell"],
    ["function", "update_plan"],
    ["function", "apply_patch"],
  ]);
  expect(all.specs[1]).toEqual({
    type: "function",
    function: {
      name: "update_plan",
      description: "Plans.",
      strict: false,
      parameters: plan.parameters,
    },
  });
  expect(all.specs[2]?.function).toMatchObject({
    description: expect.stringMatching(/^Changes files\.[\s\S]*start: x$/),
    parameters: {
      type: "object",
      properties: { input: { type: "string" } },
      required: ["input"],
      additionalProperties: false,
    },
  });
});

test.each([
  ['{"input":"*** Begin Patch"}', "*** Begin Patch"],
  ["*** Begin Patch", "*** Begin Patch"],
  ['{"patch":"x"}', '{"patch":"x"}'],
])("a call of a tool that takes text is one again: %s", (args, input) => {
  expect(all.raise({ id: "c1", name: "apply_patch", arguments: args })).toEqual({
    type: "custom_tool_call",
    call_id: "c1",
    name: "apply_patch",
    input,
  });
});

test("a call of the built-in shell is one again", () => {
  const args = JSON.stringify({ command: ["ls", "-l"], workdir: "/tmp", timeout_ms: 5.5 });

  expect(all.raise({ id: "c1", name: "shell", arguments: args })).toEqual({
    type: "local_shell_call",
    call_id: "c1",
    status: "completed",
    action: {
      type: "exec",
      command: ["ls", "-l"],
      timeout_ms: 5,
      working_directory: "/tmp",
      env: null,
      user: null,
    },
  });
});

test.each([
  ["shell", '{"command":"ls"}'],
  ["shell", '{"command":[]}'],
  ["shell", "{"],
  ["update_plan", "{}"],
  ["nobody_offered_it", "{}"],
])("any other call of %s stays a function's: %s", (name, args) => {
  expect(all.raise({ id: "c1", name, arguments: args })).toEqual({
    type: "function_call",
    name,
    arguments: args,
    call_id: "c1",
  });
});
