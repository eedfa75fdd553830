import { expect, test } from "vitest";
import { eraOf } from "../../src/compat/index.js";
import type { McpServers } from "../../src/mcp/index.js";
import type { CallToolResult, EventMsg } from "../../src/protocol/types.js";
import type { Tool, ToolContext } from "../../src/tools/index.js";
import { createMcpTools, type McpToolsOptions } from "../../src/tools/mcp.js";
import { mcpResourceTools } from "../../src/tools/mcp-resources.js";
import { startTestServers, stdioServer, type TestServers } from "../support/mcp.js";

const limit = { mode: "bytes", limit: 10_000 } as const;
const enabled_tools = ["echo", "fail", "image", "big", "hang", "progress"];

test("a call emits its begin and end to the client, and the model gets the result", async () => {
  await using started = await startTestServers({ t: await stdioServer("good", { enabled_tools }) });
  const tools = toolsOf(started);

  const { output, events } = await run(tools.find("mcp__t__echo"), '{"text":"hi"}');

  const invocation = { server: "t", tool: "echo", arguments: { text: "hi" } };
  const response = {
    content: [{ type: "text", text: "echo: hi" }],
    structuredContent: { said: "hi" },
  };
  expect(output).toEqual({ text: '{"said":"hi"}', success: true, result: { response } });
  expect(events).toEqual([
    { type: "mcp_tool_call_begin", call_id: "c1", invocation },
    {
      type: "mcp_tool_call_end",
      call_id: "c1",
      invocation,
      duration: { secs: expect.any(Number), nanos: expect.any(Number) },
      result: response,
    },
  ]);
});

test("tools are offered with reduced schemas, and as the same objects while they do not change", async () => {
  await using started = await startTestServers({
    t: await stdioServer("good", { enabled_tools: ["fail"] }),
  });
  const tools = toolsOf(started);

  const offered = tools.offered();

  expect(offered).toEqual([
    {
      type: "function",
      name: "mcp__t__fail",
      description: "Does fail",
      strict: false,
      parameters: { type: "object", properties: { value: { type: "number" } } },
    },
  ]);
  expect(tools.offered()).toBe(offered);
  expect(tools.find("mcp__t__other")).toBeUndefined();
});

test("models that know namespaces are offered the tools of a server together", async () => {
  const config = await stdioServer("good", { enabled_tools: ["echo", "fail"] });
  await using started = await startTestServers({ a: config, b: config }, { era: eraOf("0.166") });
  const tools = toolsOf(started);

  expect(tools.offered()).toMatchObject([
    {
      type: "namespace",
      name: "mcp__a",
      description: "Tools to test with.",
      tools: [{ name: "echo" }, { name: "fail" }],
    },
    { type: "namespace", name: "mcp__b", tools: [{ name: "echo" }, { name: "fail" }] },
  ]);
  expect(tools.find("echo", "mcp__b")).toBe(tools.find("mcp__b__echo"));
  expect(tools.find("echo")).toBeUndefined();
});

test("blank arguments count as none, and invalid JSON is an error for the model only", async () => {
  await using started = await startTestServers({ t: await stdioServer("good", { enabled_tools }) });
  const tools = toolsOf(started);

  const blank = await run(tools.find("mcp__t__fail"), " ");
  const broken = await run(tools.find("mcp__t__fail"), '{"a":');

  expect(blank.events[0]).toEqual({
    type: "mcp_tool_call_begin",
    call_id: "c1",
    invocation: { server: "t", tool: "fail", arguments: null },
  });
  expect(blank.output).toMatchObject({
    text: '[{"type":"text","text":"it broke"}]',
    success: false,
  });
  expect(broken).toEqual({
    output: {
      text: expect.stringMatching(/^err: EOF while parsing .* at line 1 column 5$/),
      success: false,
    },
    events: [],
  });
});

test("pictures arrive as parts, and a long answer is cut before it reaches the model", async () => {
  await using started = await startTestServers({ t: await stdioServer("good", { enabled_tools }) });
  const tools = toolsOf(started);

  const image = await run(tools.find("mcp__t__image"), "{}");
  const big = await run(tools.find("mcp__t__big"), '{"bytes":30000000}');

  expect(image.output).toMatchObject({
    text: "a picture",
    parts: [
      { type: "input_text", text: "a picture" },
      { type: "input_image", image_url: "data:image/png;base64,aGk=" },
    ],
    success: true,
  });
  expect(big.output.text.length).toBeLessThan(11_000);
  expect(big.output.text).toContain("chars truncated…");
});

test("progress is reported under the id of its call", async () => {
  await using started = await startTestServers({ t: await stdioServer("good", { enabled_tools }) });
  const events: EventMsg[] = [];
  const tool = toolsOf(started).find("mcp__t__progress");

  await tool?.run(
    { text: "{}" },
    context((event) => events.push(event)),
  );

  expect(events.slice(1, -1)).toEqual([
    { type: "mcp_tool_call_progress", call_id: "c1", message: "half" },
    { type: "mcp_tool_call_progress", call_id: "c1", message: "done" },
  ]);
});

test("an interrupted call rejects and emits no end", async () => {
  await using started = await startTestServers({ t: await stdioServer("good", { enabled_tools }) });
  const events: EventMsg[] = [];
  const interrupt = new AbortController();
  const tool = toolsOf(started).find("mcp__t__hang");

  const call = tool?.run(
    { text: "{}" },
    context((event) => {
      events.push(event);
      interrupt.abort(new Error("interrupted"));
    }, interrupt.signal),
  );

  await expect(call).rejects.toThrow("interrupted");
  expect(events.map(({ type }) => type)).toEqual(["mcp_tool_call_begin"]);
});

test("the model lists and reads resources, and clients see that as calls", async () => {
  await using started = await startTestServers({ t: await stdioServer("good") });
  const [list, templates, read] = mcpResourceTools(started.servers, limit);

  const all = await run(list, "");
  const page = await run(list, '{"server":"t","cursor":"2"}');
  const forms = await run(templates, '{"server":"t"}');
  const one = await run(read, '{"server":"t","uri":"memo:one"}');

  expect(JSON.parse(all.output.text)).toEqual({
    resources: [
      { server: "t", uri: "memo:one", name: "one" },
      { server: "t", uri: "memo:two", name: "two" },
    ],
  });
  expect(JSON.parse(page.output.text)).toEqual({
    server: "t",
    resources: [{ server: "t", uri: "memo:two", name: "two" }],
  });
  expect(JSON.parse(forms.output.text)).toEqual({
    server: "t",
    resourceTemplates: [{ server: "t", uriTemplate: "memo:{name}", name: "memo" }],
  });
  const text =
    '{"server":"t","uri":"memo:one","contents":[{"uri":"memo:one","text":"the memo one"}]}';
  const invocation = {
    server: "t",
    tool: "read_mcp_resource",
    arguments: { server: "t", uri: "memo:one" },
  };
  expect(one).toEqual({
    output: { text, success: true },
    events: [
      { type: "mcp_tool_call_begin", call_id: "c1", invocation },
      {
        type: "mcp_tool_call_end",
        call_id: "c1",
        invocation,
        duration: expect.anything(),
        result: { content: [{ type: "text", text }], isError: false } satisfies CallToolResult,
      },
    ],
  });
});

test.each([
  [0, '{"cursor":"2"}', "cursor can only be used when a server is specified"],
  [0, '{"server":"x"}', "unknown MCP server 'x'"],
  [2, '{"server":"t","uri":" "}', "uri must be provided"],
  [2, '{"server":"t"}', /^failed to parse function arguments: missing field `uri`/],
  [2, '{"server":"t","uri":"x:y"}', "resources/read failed: Mcp error: -32602: no resource x:y"],
])("resource tool %i says what is wrong with %s", async (index, text, expected) => {
  await using started = await startTestServers({ t: await stdioServer("good") });

  const { output } = await run(mcpResourceTools(started.servers, limit)[index], text);

  expect(output.success).toBe(false);
  expect(output.text).toMatch(expected);
});

test("the resource tools are offered as models know them", () => {
  const specs = mcpResourceTools({} as McpServers, limit).map(({ spec }) => spec);

  expect(specs).toMatchObject([
    { name: "list_mcp_resources", parameters: { type: "object", additionalProperties: false } },
    { name: "list_mcp_resource_templates" },
    { name: "read_mcp_resource", parameters: { required: ["server", "uri"] } },
  ]);
  expect(specs[0]).not.toHaveProperty("parameters.required");
});

function toolsOf({ servers }: TestServers, options: Partial<McpToolsOptions> = {}) {
  return createMcpTools({ servers, era: eraOf("0.104"), limit, ...options });
}

async function run(tool: Tool | undefined, text: string) {
  if (tool === undefined) throw new Error("There is no such tool");
  const events: EventMsg[] = [];
  const output = await tool.run(
    { text },
    context((event) => events.push(event)),
  );
  return { output, events };
}

/** The part of the context that these tools use. */
function context(
  emit: (event: EventMsg) => void,
  signal = new AbortController().signal,
): ToolContext {
  return { callId: "c1", emit, signal } as Partial<ToolContext> as ToolContext;
}
