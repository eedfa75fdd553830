import { expect, test } from "vitest";
import { callOwnTool, type OwnTool } from "../../src/client/own-tools.js";

const call = { threadId: "t", turnId: "u", callId: "c1", namespace: null };
const { signal } = new AbortController();

function tool(run: OwnTool["run"]): OwnTool {
  return { spec: { type: "function", name: "add" }, run };
}

test.each([
  [{ a: 1 }, '{"a":1}'],
  ['{"a":1}', '{"a":1}'],
  [null, "{}"],
])("the arguments %j reach the tool as %s", async (given, text) => {
  const received: unknown[] = [];
  const tools = [
    tool(async (input, context) => {
      received.push(input.text, context.callId, context.turnId);
      return { text: "3", success: true };
    }),
  ];

  const result = await callOwnTool(tools, { ...call, tool: "add", arguments: given }, signal);

  expect(received).toEqual([text, "c1", "u"]);
  expect(result).toEqual({ contentItems: [{ type: "inputText", text: "3" }], success: true });
});

test.each<[string, OwnTool[], string]>([
  ["an unknown tool", [], "There is no tool add"],
  ["a tool that throws", [tool(() => Promise.reject(new Error("overflow")))], "overflow"],
  ["a tool that fails", [tool(async () => ({ text: "no", success: false }))], "no"],
])("%s is a failed result", async (_, tools, text) => {
  const result = await callOwnTool(tools, { ...call, tool: "add", arguments: {} }, signal);

  expect(result).toEqual({ contentItems: [{ type: "inputText", text }], success: false });
});
