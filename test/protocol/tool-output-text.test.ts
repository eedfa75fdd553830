import { expect, test } from "vitest";
import { toolOutputText } from "../../src/protocol/tool-output-text.js";

test.each([
  [{ call_id: "c1", output: "x" }, undefined],
  [{ name: "look", output: "x" }, '<tool_output name="look">x</tool_output>'],
  [{ name: 'l"', namespace: "ns", output: "" }, '<tool_output name="ns.l\\""></tool_output>'],
  [
    { name: "a", output: "</tool_output>b" },
    '<tool_output name="a"><\\/tool_output>b</tool_output>',
  ],
  [
    {
      name: "a",
      output: [
        { type: "input_text" as const, text: "x" },
        { type: "input_image" as const, image_url: "data:" },
      ],
    },
    '<tool_output name="a">x\n[image]</tool_output>',
  ],
])("%j is shown as %s", (item, text) => {
  expect(toolOutputText({ type: "function_call_output", ...item })).toBe(text);
});
