import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { RequestBodies } from "../../src/model/responses-client.js";
import type { Prompt } from "../../src/model/types.js";
import { startTestCodex, text } from "../support/codex.js";
import { calls, says } from "../support/model.js";

/** A server with the 97 tools of a large installation; `tool_5` sends mail. */
const serverScript = `
const lines = require("node:readline").createInterface({ input: process.stdin });
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
const words = "Reads or changes one kind of record of the service. ".repeat(8);
const inputSchema = { type: "object", properties: { id: { type: "string", description: words } } };
const tools = Array.from({ length: Number(process.argv[2]) }, (_, n) => ({
  name: "tool_" + n, description: n === 5 ? "Send a mail" : words + n, inputSchema,
}));
lines.on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === "initialize") send({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "post", version: "1" } } });
  else if (method === "tools/list") send({ id, result: { tools } });
  else if (method === "tools/call") send({ id, result: { content: [{ type: "text", text: "called " + params.name }] } });
});`;

const folder = mkdtempSync(join(tmpdir(), "quire-search-"));
const script = join(folder, "server.cjs");
writeFileSync(script, serverScript);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const server = (tools: number) => ({
  mcp_servers: { post: { command: process.execPath, args: [script, String(tools)] } },
});
const go = { type: "user_input", items: text("go") } as const;

function searches(args: unknown) {
  const item = { type: "tool_search_call", call_id: "t1", execution: "client", arguments: args };
  return [{ type: "response.output_item.done", item }];
}

function namesIn(prompt: Prompt | undefined): string[] {
  return (prompt?.tools ?? []).map((tool) => ("name" in tool ? tool.name : tool.type));
}

function sizeOf(prompt: Prompt | undefined): number {
  if (prompt === undefined) return 0;
  const provider = { id: "x", name: "x", wire_api: "responses" } as never;
  return new RequestBodies(provider).write(prompt).toString().length;
}

test("[clients 11] a model that knows the search finds deferred tools and calls them", async () => {
  await using codex = await startTestCodex({
    model: [
      searches({ query: "send mail", limit: 1 }),
      calls("mcp__post__tool_5", {}),
      says("Sent."),
    ],
    config: { model: "gpt-5.5", ...server(97) },
  });

  const events = await codex.turn(go);

  expect(namesIn(codex.prompts[0])).toContain("tool_search");
  expect(namesIn(codex.prompts[0]).filter((name) => name.startsWith("mcp__"))).toEqual([]);
  expect(codex.prompts[1]?.input.slice(-2)).toMatchObject([
    { type: "tool_search_call", call_id: "t1", arguments: { query: "send mail", limit: 1 } },
    {
      type: "tool_search_output",
      call_id: "t1",
      status: "completed",
      execution: "client",
      tools: [{ type: "function", name: "mcp__post__tool_5", defer_loading: true }],
    },
  ]);
  expect(JSON.stringify(codex.prompts[2]?.input.at(-1))).toContain("called tool_5");
  expect(events.filter(({ type }) => type === "mcp_tool_call_end")).toHaveLength(1);
});

test("with 97 tools a request shrinks from 72,000 to at most 14,000 characters", async () => {
  const sizes = await Promise.all(
    [1000, 20].map(async (search_above) => {
      const tools = { search_above };
      const config = { model: "gpt-5.5", tools, ...server(97) };
      await using codex = await startTestCodex({ model: [says("Done.")], config });
      await codex.turn(go);
      return sizeOf(codex.prompts[0]);
    }),
  );

  expect(sizes[0]).toBeGreaterThan(72_000);
  expect(sizes[1]).toBeLessThan(14_000);
});

test("a resumed thread has the tools that were found", async () => {
  await using codex = await startTestCodex({
    model: [searches({ query: "mail" }), says("Found.")],
    config: { model: "gpt-5.5", ...server(97) },
  });
  codex.submit({ type: "get_path" });
  const { msg } = await codex.until("conversation_path");
  await codex.turn(go);
  await codex.shutdown();

  const lines = readFileSync(msg.path, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const items = lines.filter(({ type }) => type === "response_item").map(({ payload }) => payload);
  expect(items.slice(-3)).toMatchObject([
    { type: "tool_search_call" },
    { type: "tool_search_output", tools: [{ name: "mcp__post__tool_5" }] },
    { type: "message" },
  ]);

  await using resumed = await startTestCodex({
    model: [says("Again.")],
    config: { model: "gpt-5.5", ...server(97) },
    sharing: codex,
    configure: false,
  });
  resumed.submit({ type: "configure_session", resume_path: msg.path }, "");
  await resumed.turn(go);
  expect(resumed.prompts[0]?.input.some(({ type }) => type === "tool_search_output")).toBe(true);
});

test("a model that does not know the search has it as a function, and is then offered the tools", async () => {
  await using codex = await startTestCodex({
    model: [calls("tool_search", { query: "mail" }), says("Found.")],
    config: { model: "some-model", ...server(97) },
  });

  await codex.turn(go);

  expect(namesIn(codex.prompts[0])).not.toContain("mcp__post__tool_5");
  expect(codex.prompts[1]?.input.at(-1)).toMatchObject({
    type: "function_call_output",
    output: '{"tools":[{"name":"mcp__post__tool_5","description":"Send a mail"}]}',
  });
  expect(namesIn(codex.prompts[1]).filter((name) => name.startsWith("mcp__"))).toEqual([
    "mcp__post__tool_5",
  ]);
});

test.each([
  ["few tools are offered", { model: "gpt-5.5", era: "current", tools: 3, deferred: false }],
  ["0.166 defers even few tools", { model: "gpt-5.5", era: "0.166", tools: 3, deferred: true }],
  ["0.166 offers all to others", { model: "mock", era: "0.166", tools: 97, deferred: false }],
  ["0.104 offers all", { model: "gpt-5.5", era: "0.104", tools: 97, deferred: false }],
] as const)("%s", async (_, { model, era, tools, deferred }) => {
  await using codex = await startTestCodex({
    model: [says("Done.")],
    config: { model, ...server(tools) },
    era,
  });

  await codex.turn(go);

  expect(namesIn(codex.prompts[0]).includes("tool_search")).toBe(deferred);
  expect(namesIn(codex.prompts[0]).some((name) => name.startsWith("mcp__"))).toBe(!deferred);
});

test("a dynamic tool is deferred if its client asks for it", async () => {
  const inputSchema = { type: "object", properties: {} };
  const lookup = { name: "lookup", description: "Looks it up.", inputSchema, deferLoading: true };
  const config = { model: "gpt-5.5", tools: { search_above: 0 } };
  await using codex = await startTestCodex({ model: [says("Done.")], config, configure: false });
  codex.submit({ type: "configure_session", dynamic_tools: [lookup] }, "");

  await codex.turn(go);

  expect(namesIn(codex.prompts[0])).toContain("tool_search");
  expect(namesIn(codex.prompts[0])).not.toContain("lookup");
});
