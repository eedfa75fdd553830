import { describe, expect, test } from "vitest";
import type { McpServers } from "../../src/mcp/index.js";
import { mcpResourceTools } from "../../src/tools/mcp-resources.js";
import type { ToolContext } from "../../src/tools/tool.js";

const limit = { mode: "bytes", limit: 1000 } as const;

/** Runs one of the tools on servers with two resources and collects the events. */
async function run(name: string, text: string, signal = new AbortController().signal) {
  const servers = {
    async listResources(_kind: string, { server, cursor }: { server: string; cursor?: string }) {
      if (server !== "docs") throw new Error(`unknown MCP server '${server}'`);
      return cursor === undefined
        ? { entries: [{ uri: "docs://a" }, "not an object"], nextCursor: "2" }
        : { entries: [{ uri: "docs://b" }] };
    },
    listAllResources: async () =>
      new Map([
        ["docs", [{ uri: "docs://a" }, null]],
        ["wiki", [{ uri: "wiki://x" }]],
      ]),
    readResource: async ({ uri }: { uri: string }) => ({ contents: [{ uri, text: "hello" }] }),
  } as unknown as McpServers;
  const events: unknown[] = [];
  const context = { callId: "c1", emit: (msg: unknown) => events.push(msg), signal };
  const tool = mcpResourceTools(servers, limit).find(
    ({ spec }) => "name" in spec && spec.name === name,
  );
  const output = await tool?.run({ text }, context as unknown as ToolContext);
  return { output, events };
}

describe("list_mcp_resources", () => {
  test("lists all servers, and drops entries that are not objects", async () => {
    const { output } = await run("list_mcp_resources", "");

    expect(JSON.parse(output?.text ?? "")).toEqual({
      resources: [
        { server: "docs", uri: "docs://a" },
        { server: "wiki", uri: "wiki://x" },
      ],
    });
  });

  test("lists one server page by page", async () => {
    const first = await run("list_mcp_resources", '{"server":" docs "}');
    const second = await run("list_mcp_resources", '{"server":"docs","cursor":"2"}');

    expect(JSON.parse(first.output?.text ?? "")).toEqual({
      server: "docs",
      resources: [{ server: "docs", uri: "docs://a" }],
      nextCursor: "2",
    });
    expect(JSON.parse(second.output?.text ?? "")).toEqual({
      server: "docs",
      resources: [{ server: "docs", uri: "docs://b" }],
    });
  });

  test("a cursor without a server is a mistake of the model", async () => {
    const { output } = await run("list_mcp_resources", '{"cursor":"2"}');

    expect(output).toEqual({
      text: "cursor can only be used when a server is specified",
      success: false,
    });
  });

  test("clients see a call of the server's tool, with its outcome", async () => {
    const { events } = await run("list_mcp_resources", '{"server":"other"}');

    const invocation = {
      server: "other",
      tool: "list_mcp_resources",
      arguments: { server: "other" },
    };
    expect(events).toMatchObject([
      { type: "mcp_tool_call_begin", call_id: "c1", invocation },
      {
        type: "mcp_tool_call_end",
        call_id: "c1",
        invocation,
        result: "unknown MCP server 'other'",
      },
    ]);
  });

  test("templates are listed under their own name", async () => {
    const { output } = await run("list_mcp_resource_templates", "{}");

    expect(Object.keys(JSON.parse(output?.text ?? ""))).toEqual(["resourceTemplates"]);
  });
});

describe("read_mcp_resource", () => {
  test("reads a resource", async () => {
    const { output, events } = await run("read_mcp_resource", '{"server":"docs","uri":"docs://a"}');

    expect(JSON.parse(output?.text ?? "")).toEqual({
      server: "docs",
      uri: "docs://a",
      contents: [{ uri: "docs://a", text: "hello" }],
    });
    expect(events[1]).toMatchObject({ result: { isError: false } });
  });

  test.each([
    ['{"server":"","uri":"x"}', "server must be provided"],
    ['{"server":"docs","uri":" "}', "uri must be provided"],
    ["{}", "failed to parse function arguments: missing field `server` at line 1 column 2"],
  ])("%s is refused: %s", async (text, message) => {
    expect((await run("read_mcp_resource", text)).output).toEqual({
      text: message,
      success: false,
    });
  });

  test("an aborted call rejects instead of answering the model", async () => {
    const signal = AbortSignal.abort(new Error("stopped"));

    await expect(run("list_mcp_resources", '{"server":"other"}', signal)).rejects.toThrow(
      "stopped",
    );
  });
});
