import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ThreadItem } from "../../../src/protocol/rpc/v2/item.js";
import type {
  ListMcpServerStatusResponse,
  McpServerOauthLoginResponse,
} from "../../../src/protocol/rpc/v2/mcp-server.js";
import { initialize, startAppServer } from "../../support/app-server.js";
import { stdioServer } from "../../support/mcp.js";
import { startProtectedServer } from "../../support/mcp-issuer.js";
import { calls, says } from "../../support/model.js";
import type { TestClient } from "../../support/server.js";
import { begin, say } from "./thread.js";

/** Settings with a server that works, one that does not start, and a disabled one. */
async function someServers() {
  return {
    good: await program(),
    broken: { command: "no-such-program-xyz" },
    off: { command: "no-such-program-xyz", enabled: false },
  };
}

test("the status describes each server, or why it failed", async () => {
  await using server = await startAppServer({ config: { mcp_servers: await someServers() } });
  const client = server.connect();
  await initialize(client);
  const list = async (params: object) =>
    (await client.call("mcpServerStatus/list", params)) as ListMcpServerStatusResponse;

  const { data, nextCursor } = await list({});
  const briefly = await list({ serverName: "good", detail: "toolsAndAuthOnly" });

  expect(nextCursor).toBeNull();
  expect(data.map(({ name, toolsError }) => [name, toolsError])).toEqual([
    ["broken", "MCP startup failed: No such file or directory (os error 2)"],
    ["good", null],
    ["off", null],
  ]);
  expect(data[1]).toMatchObject({
    httpOrigin: null,
    serverInfo: { name: expect.any(String), version: expect.any(String), title: null },
    serverCapabilities: { tools: {} },
    tools: { pid: { name: "pid", inputSchema: { type: "object" } } },
    resources: [{ name: "one" }, { name: "two" }],
    authStatus: "unsupported",
  });
  expect(briefly.data.map(({ name, resources }) => [name, resources])).toEqual([["good", []]]);
  expect((await list({ limit: 1, cursor: "1" })).nextCursor).toBe("2");
  await expect(list({ cursor: "x" })).rejects.toThrow("invalid cursor: x");
});

test("an older client receives the shape of its version", async () => {
  const { off } = await someServers();
  await using server = await startAppServer({ config: { mcp_servers: { off } }, era: "0.104" });
  const client = server.connect();
  await initialize(client);

  expect(await client.call("mcpServerStatus/list", {})).toEqual({
    data: [
      { name: "off", tools: {}, resources: [], resourceTemplates: [], authStatus: "unsupported" },
    ],
    nextCursor: null,
  });
});

test("a client reads resources and calls tools without the model", async () => {
  await using server = await startAppServer({ config: { mcp_servers: await someServers() } });
  const client = server.connect();
  await initialize(client);
  const { conversationId: threadId } = (await client.call("newConversation", {})) as {
    conversationId: string;
  };
  const call = (tool: string) =>
    client.call("mcpServer/tool/call", { threadId, server: "good", tool, arguments: { value: 1 } });

  const read = await client.call("mcpServer/resource/read", { server: "good", uri: "memo:one" });

  expect(read).toEqual({
    contents: [{ uri: "memo:one", text: "the memo one" }],
    originCallId: null,
  });
  expect(await call("pid")).toMatchObject({ content: [{ type: "text" }] });
  await expect(
    client.call("mcpServer/resource/read", { server: "nope", uri: "memo:one" }),
  ).rejects.toMatchObject({ code: -32603, message: "unknown MCP server 'nope'" });
  await expect(
    client.call("mcpServer/tool/call", { threadId, server: "nope", tool: "pid" }),
  ).rejects.toThrow("unknown MCP server 'nope'");
  await expect(
    client.call("mcpServer/tool/call", {
      threadId: "01a1e12e-0dd5-7004-8128-000000000000",
      server: "good",
      tool: "pid",
    }),
  ).rejects.toMatchObject({ code: -32600 });
});

test("a login in the browser ends with a notification", async () => {
  await using issuer = await startProtectedServer();
  const config = { mcp_servers: { web: { url: `${issuer.server.origin}/mcp` } } };
  await using server = await startAppServer({ config });
  const client = server.connect();
  await initialize(client);
  const status = async () => {
    const { data } = (await client.call("mcpServerStatus/list", {
      detail: "toolsAndAuthOnly",
    })) as ListMcpServerStatusResponse;
    return data.map(({ httpOrigin, authStatus }) => [httpOrigin, authStatus]);
  };

  expect(await status()).toEqual([[issuer.server.origin, "notLoggedIn"]]);
  const { authorizationUrl, loginId } = (await client.call("mcpServer/oauth/login", {
    name: "web",
  })) as McpServerOauthLoginResponse;
  await issuer.visit(authorizationUrl);

  expect((await client.until("mcpServer/oauthLogin/completed")).params).toEqual({
    name: "web",
    threadId: null,
    loginId,
    success: true,
  });
  expect(await status()).toEqual([[issuer.server.origin, "oAuth"]]);
});

test.each([
  ["nope", "No MCP server named 'nope' found."],
  ["off", "OAuth login is only supported for streamable HTTP servers."],
])("a login to %s is rejected", async (name, message) => {
  const { off } = await someServers();
  await using server = await startAppServer({ config: { mcp_servers: { off } } });
  const client = server.connect();
  await initialize(client);

  await expect(client.call("mcpServer/oauth/login", { name })).rejects.toMatchObject({
    code: -32600,
    message,
  });
});

async function program() {
  const { transport } = await stdioServer("good");
  if (transport.type !== "stdio") throw new Error("a program is meant");
  return { command: transport.command, args: transport.args };
}

/** Returns the table of a server in config.toml. */
async function table(name: string): Promise<string> {
  const { command, args } = await program();
  return `[mcp_servers.${name}]\ncommand = ${JSON.stringify(command)}\nargs = ${JSON.stringify(args)}\n`;
}

/** Returns the short results of the tool calls of a turn. */
function results({ heard }: TestClient): string[] {
  return heard.flatMap(({ method, params }) => {
    const { item } = (params ?? {}) as { item?: ThreadItem };
    if (method !== "item/completed" || item?.type !== "mcpToolCall") return [];
    const [part] = (item.result?.content ?? []) as { text?: string }[];
    return [`${item.server} ${part?.text ?? item.error?.message}`];
  });
}

test("a reload replaces changed servers of a loaded thread and keeps the others", async () => {
  const pid = (server: string) => calls(`mcp__${server}__pid`, {});
  await using server = await startAppServer({
    model: [pid("a"), says("One."), pid("a"), pid("b"), says("Two.")],
  });
  const file = join(server.home, "config.toml");
  writeFileSync(file, (await table("a")) + (await table("gone")));
  const client = server.connect();
  const threadId = await begin(client);
  await say(client, threadId, "first");
  await client.until("turn/completed");
  const [kept] = results(client);
  client.heard.length = 0;

  writeFileSync(file, (await table("a")) + (await table("b")));
  expect(await client.call("config/mcpServer/reload")).toEqual({});
  await say(client, threadId, "second");
  await client.until("turn/completed");

  expect(results(client)).toEqual([kept, expect.stringMatching(/^b \d+$/)]);
  const statuses = client.heard.filter(({ method }) => method.startsWith("mcpServer/startup"));
  expect(statuses.map(({ params }) => params)).toMatchObject([
    { threadId, name: "b", status: "starting" },
    { name: "a", status: "ready" },
    { name: "b", status: "ready" },
  ]);
});

test("a running turn keeps its servers; the next one has the new ones", async () => {
  await using server = await startAppServer({
    model: [
      [{ message: "…" }, { hang: true }],
      calls("mcp__late__echo", { text: "hi" }),
      says("Done."),
    ],
  });
  const client = server.connect();
  const threadId = await begin(client);
  const turnId = await say(client, threadId, "first");
  await client.until("item/agentMessage/delta");
  const value = await program();

  const edits = [{ keyPath: "mcp_servers.late", value, mergeStrategy: "replace" }];
  await client.call("config/batchWrite", { edits, reloadUserConfig: true });
  const during = client.heard.some(({ method }) => method.startsWith("mcpServer/startup"));
  await client.call("turn/interrupt", { threadId, turnId });
  await say(client, threadId, "second");
  await client.until("turn/completed");
  await client.until("turn/completed");

  expect(during).toBe(false);
  expect(results(client)).toEqual(["late echo: hi"]);
});

test("invalid settings are reported, and threads keep theirs", async () => {
  await using server = await startAppServer({
    model: [calls("mcp__a__echo", { text: "hi" }), says("Done.")],
  });
  const file = join(server.home, "config.toml");
  writeFileSync(file, await table("a"));
  const client = server.connect();
  const threadId = await begin(client);

  writeFileSync(file, "[mcp_servers.a]\ncommand = 3\n");
  const refused = await client.call("config/mcpServer/reload").catch((error: unknown) => error);
  await say(client, threadId, "go");
  await client.until("turn/completed");

  expect(refused).toMatchObject({
    code: -32603,
    message: `failed to refresh MCP servers: ${file}:2: \`mcp_servers.a.command\` must be a string, not 3`,
  });
  expect(results(client)).toEqual(["a echo: hi"]);
});
