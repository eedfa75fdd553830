import { expect, test } from "vitest";
import { eraOf } from "../../../src/compat/index.js";
import { listTools, toolAnswer, toolFailure } from "../../../src/server/mcp/tools.js";

interface Listed {
  inputSchema: { required: string[]; properties: object };
  outputSchema?: object;
}

const listed = (era: string) => listTools(eraOf(era).rpc) as unknown as [Listed, Listed];

test("the newest era names threads in params and results", () => {
  const [codex, reply] = listed("current");

  expect(codex.inputSchema.required).toEqual(["prompt"]);
  expect(codex.inputSchema.properties).not.toHaveProperty("include-plan-tool");
  expect(reply.inputSchema.properties).toHaveProperty("threadId");
  expect(reply.inputSchema.properties).toHaveProperty("conversationId");
  expect(codex.outputSchema).toEqual(reply.outputSchema);
});

test("an older era names conversations and has no output schema", () => {
  const [codex, reply] = listed("0.39");

  expect(codex.inputSchema.properties).toHaveProperty("include-plan-tool");
  expect(reply.inputSchema.required).toEqual(["conversationId", "prompt"]);
  expect(reply.inputSchema.properties).not.toHaveProperty("threadId");
  expect(codex.outputSchema).toBeUndefined();
});

test("results contain the text, and the thread if given", () => {
  const content = [{ type: "text", text: "done" }];

  expect(toolAnswer("done", undefined)).toEqual({ content });
  expect(toolAnswer("done", "t")).toEqual({
    content,
    structuredContent: { threadId: "t", content: "done" },
  });
  expect(toolFailure("done")).toEqual({ content, isError: true });
});
