import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { startTestCodex, text } from "../support/codex.js";
import { calls, says } from "../support/model.js";

/** A minimal MCP server that also asks the user a question. */
const serverScript = `
const lines = require("node:readline").createInterface({ input: process.stdin });
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
const tools = ["greet", "ask"].map((name) => ({ name, description: name, inputSchema: { type: "object" } }));
let asked;
lines.on("line", (line) => {
  const { id, method, params, result } = JSON.parse(line);
  if (method === "initialize") send({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "tiny", version: "1" } } });
  else if (method === "tools/list") send({ id, result: { tools } });
  else if (method === "tools/call" && params.name === "greet") send({ id, result: { content: [{ type: "text", text: "hello " + params.arguments.name }] } });
  else if (method === "tools/call") {
    asked = id;
    send({ id: "q1", method: "elicitation/create", params: { message: "Really?", requestedSchema: { type: "object", properties: {} } } });
  } else if (id === "q1") send({ id: asked, result: { content: [{ type: "text", text: "user said " + result.action }] } });
});`;

const folder = mkdtempSync(join(tmpdir(), "quire-mcp-"));
const script = join(folder, "server.cjs");
writeFileSync(script, serverScript);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const config = { mcp_servers: { tiny: { command: process.execPath, args: [script] } } };
const go = { type: "user_input", items: text("go") } as const;

test("tools of servers are offered, called and reported by server and name", async () => {
  await using codex = await startTestCodex({
    model: [calls("mcp__tiny__greet", { name: "you" }), says("Done.")],
    config,
  });

  const events = await codex.turn(go);

  const invocation = { server: "tiny", tool: "greet", arguments: { name: "you" } };
  expect(events.filter(({ type }) => type.startsWith("mcp_tool"))).toMatchObject([
    { type: "mcp_tool_call_begin", call_id: "c1", invocation },
    { type: "mcp_tool_call_end", invocation, result: { content: [{ text: "hello you" }] } },
  ]);
  const names = codex.prompts[0]?.tools.map((tool) => ("name" in tool ? tool.name : tool.type));
  expect(names?.slice(-2)).toEqual(["mcp__tiny__ask", "mcp__tiny__greet"]);
  expect(JSON.stringify(codex.prompts[1]?.input.at(-1))).toContain("hello you");
});

test("[documents D8] a call without arguments reports `null`", async () => {
  const event = {
    type: "response.output_item.done",
    item: { type: "function_call", name: "mcp__tiny__greet", arguments: "", call_id: "c1" },
  };
  await using codex = await startTestCodex({ model: [[event], says("Done.")], config });

  const events = await codex.turn(go);

  expect(events.find(({ type }) => type === "mcp_tool_call_begin")).toMatchObject({
    invocation: { server: "tiny", tool: "greet", arguments: null },
  });
});

test("the tools can be listed by their qualified names", async () => {
  await using codex = await startTestCodex({ config });

  codex.submit({ type: "list_mcp_tools" });
  const { msg } = await codex.until("mcp_list_tools_response");

  expect(Object.keys(msg.tools).sort()).toEqual(["mcp__tiny__ask", "mcp__tiny__greet"]);
});

test("a server's question reaches the client, and the answer the server", async () => {
  await using codex = await startTestCodex({
    model: [calls("mcp__tiny__ask", {}), says("Done.")],
    config,
  });
  codex.submit(go);

  const { msg } = await codex.until("elicitation_request");
  codex.submit({
    type: "resolve_elicitation",
    server_name: msg.server_name,
    request_id: msg.id,
    decision: "accept",
  });
  await codex.until("task_complete");

  expect(msg).toMatchObject({ server_name: "tiny", message: "Really?" });
  expect(JSON.stringify(codex.prompts[1]?.input.at(-1))).toContain("user said accept");
});

test("a server that cannot start affects only its own tools and is reported", async () => {
  await using codex = await startTestCodex({
    model: [says("Fine.")],
    config: { mcp_servers: { broken: { command: "/nowhere/server" } } },
  });

  const events = await codex.turn(go);
  const { msg } = await codex.until("mcp_startup_complete");

  expect(events.at(-1)).toMatchObject({ last_agent_message: "Fine." });
  expect(msg.failed.map(({ server }) => server)).toEqual(["broken"]);
});
