import { expect, test } from "vitest";
import { toDynamicTools } from "../../src/protocol/read/dynamic-tool.js";
import { startTestCodex, text } from "../support/codex.js";
import { calls, says } from "../support/model.js";

const inputSchema = { type: "object", properties: { q: { type: "string" } } };
const lookup = { name: "lookup", description: "Looks it up.", inputSchema };

test("a tool of the client is offered, asked for and answered in parts", async () => {
  await using codex = await startTestCodex({
    model: [calls("lookup", { q: "x" }), says("Found.")],
    configure: false,
  });
  codex.submit({ type: "configure_session", dynamic_tools: [lookup] }, "");
  codex.submit({ type: "user_input", items: text("go") });

  const { msg, turn_id } = await codex.until("dynamic_tool_call_request");
  codex.submit({
    type: "dynamic_tool_response",
    id: "c1",
    response: { contentItems: [{ type: "inputText", text: "found" }], success: true },
  });
  await codex.until("task_complete");

  expect(codex.prompts[0]?.tools.at(-1)).toEqual({
    type: "function",
    name: "lookup",
    description: "Looks it up.",
    strict: false,
    parameters: inputSchema,
  });
  expect(msg).toEqual({
    type: "dynamic_tool_call_request",
    callId: "c1",
    turnId: turn_id,
    tool: "lookup",
    arguments: { q: "x" },
  });
  expect(codex.prompts[1]?.input.at(-1)).toEqual({
    type: "function_call_output",
    call_id: "c1",
    output: [{ type: "input_text", text: "found" }],
  });
});

test("a tool of the client with the name of a built-in one is reported", async () => {
  await using codex = await startTestCodex({ configure: false });
  const taken = { ...lookup, name: "exec_command" };
  codex.submit({ type: "configure_session", dynamic_tools: [lookup, taken] }, "");

  const { msg } = await codex.until("warning");

  expect(msg.message).toContain("The tool `exec_command` of the client has the name of a built-in");
});

test("an answer without a pending question is an error under its id", async () => {
  await using codex = await startTestCodex();

  codex.submit(
    { type: "dynamic_tool_response", id: "x", response: { contentItems: [], success: true } },
    "a",
  );
  const { id, msg } = await codex.until("error");

  expect([id, msg.message]).toEqual(["a", "No call of a tool waits for an answer as x"]);
});

test("tools of a namespace are read one by one", () => {
  const tools = toDynamicTools([
    { type: "function", ...lookup },
    { type: "namespace", name: "files", description: "Files.", tools: [{ ...lookup }] },
    "none",
  ]);

  expect(tools).toEqual([
    lookup,
    { ...lookup, namespace: "files", namespaceDescription: "Files." },
  ]);
});
