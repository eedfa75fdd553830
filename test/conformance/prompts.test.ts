import { expect, test } from "vitest";
import { promptsOf } from "../../conformance/cassettes/prompts.js";
import type { Json, Trace } from "../../conformance/trace/trace.js";

function traceOf(messages: Json[], command: string[] = ["codex", "proto"]): Trace {
  const client = messages.map((msg) => ({ msg, delayMs: 0, outsBefore: 0 }));
  return { client, meta: { name: "t", version: "0.104.0", command } } as unknown as Trace;
}

test.each<[string, Json]>([
  ["an op", { id: "1", op: { type: "user_input", items: [{ type: "text", text: "hi" }] } }],
  [
    "v1",
    { method: "sendUserMessage", params: { items: [{ type: "text", data: { text: "hi" } }] } },
  ],
  [
    "v2",
    { method: "turn/start", params: { threadId: "t", input: [{ type: "text", text: "hi" }] } },
  ],
  ["MCP", { method: "tools/call", params: { name: "codex", arguments: { prompt: "hi" } } }],
])("what the user said is found in %s", (_, message) => {
  const other = { id: 2, method: "thread/list", params: {} };
  expect(promptsOf(traceOf([other, message, { $eof: true }]))).toEqual(["hi"]);
});

test("the prompt of `exec` is its last argument, and a trace without input gets one", () => {
  expect(promptsOf(traceOf([], ["codex", "exec", "--json", "do it"]))).toEqual(["do it"]);
  expect(promptsOf(traceOf([], ["codex", "exec", "--json"]))).toEqual(["Go on"]);
});
