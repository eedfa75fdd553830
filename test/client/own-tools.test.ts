import { expect, test } from "vitest";
import { callOwnTool, type OwnTool } from "../../src/client/own-tools.js";

const call = { threadId: "t", turnId: "u", callId: "c1", namespace: null };
const context = { signal: new AbortController().signal };

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

  const result = await callOwnTool(tools, { ...call, tool: "add", arguments: given }, context);

  expect(received).toEqual([text, "c1", "u"]);
  expect(result).toEqual({ contentItems: [{ type: "inputText", text: "3" }], success: true });
});

test.each<[string, OwnTool[], string]>([
  ["an unknown tool", [], "There is no tool add"],
  ["a tool that throws", [tool(() => Promise.reject(new Error("overflow")))], "overflow"],
  ["a tool that fails", [tool(async () => ({ text: "no", success: false }))], "no"],
])("%s is a failed result", async (_, tools, text) => {
  const result = await callOwnTool(tools, { ...call, tool: "add", arguments: {} }, context);

  expect(result).toEqual({ contentItems: [{ type: "inputText", text }], success: false });
});

test("a tool returns images, values and progress", async () => {
  const progress: string[] = [];
  const pictures = tool(async (_, { progress: report }) => {
    report?.("half done");
    const image = { type: "input_image", image_url: "data:image/png;base64,AA==" } as const;
    return { text: "", success: true, parts: [{ type: "input_text", text: "A dot" }, image] };
  });
  const value = tool(async () => ({ text: "", success: true, value: { left: 12 } }));
  const own = { ...context, progress: (text: string) => progress.push(text) };

  const shown = await callOwnTool([pictures], { ...call, tool: "add", arguments: {} }, own);
  const counted = await callOwnTool([value], { ...call, tool: "add", arguments: {} }, own);

  expect(progress).toEqual(["half done"]);
  expect(shown.contentItems).toEqual([
    { type: "inputText", text: "A dot" },
    { type: "inputImage", imageUrl: "data:image/png;base64,AA==" },
  ]);
  expect(counted.contentItems).toEqual([{ type: "inputText", text: '{"left":12}' }]);
});
