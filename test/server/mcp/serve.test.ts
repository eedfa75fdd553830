import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { serveMcp } from "../../../src/server/mcp/serve.js";
import { spawn, wait } from "../../support/agents.js";
import { calls, says } from "../../support/model.js";
import { startTestServer, type TestServerOptions } from "../../support/server.js";
import { asksPermissions } from "../asks-permissions.js";

function startMcpServer(options: Omit<TestServerOptions, "serve"> = {}) {
  return startTestServer({ ...options, serve: serveMcp, writesVersion: true });
}

const clientInfo = { name: "test", version: "1.0" };

test("`initialize` and `tools/list` describe the server", async () => {
  await using server = await startMcpServer();
  const client = server.connect();

  const described = await client.call("initialize", {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo,
  });
  const { tools } = (await client.call("tools/list")) as { tools: { name: string }[] };

  expect(described).toMatchObject({
    protocolVersion: "2025-06-18",
    capabilities: { tools: { listChanged: true } },
    serverInfo: { name: "codex-mcp-server" },
  });
  expect(tools.map(({ name }) => name)).toEqual(["codex", "codex-reply"]);
  await expect(client.call("initialize", { clientInfo })).rejects.toThrow(
    "initialize called more than once",
  );
});

test("a session returns its thread id and can be continued", async () => {
  await using server = await startMcpServer({
    model: [[{ message: "Hello." }], [{ message: "Again." }]],
  });
  const client = server.connect();

  const first = (await client.call("tools/call", {
    name: "codex",
    arguments: { prompt: "hi", "approval-policy": "never" },
  })) as { structuredContent: { threadId: string } };
  const { threadId } = first.structuredContent;
  const second = await client.call("tools/call", {
    name: "codex-reply",
    arguments: { threadId, prompt: "more" },
  });

  expect(first).toEqual({
    content: [{ type: "text", text: "Hello." }],
    structuredContent: { threadId, content: "Hello." },
  });
  expect(second).toEqual({
    content: [{ type: "text", text: "Again." }],
    structuredContent: { threadId, content: "Again." },
  });
  expect(client.heard[0]).toMatchObject({
    method: "codex/event",
    params: { _meta: { requestId: 0, threadId }, id: "", msg: { type: "session_configured" } },
  });
});

test.each([
  ["accept", true],
  ["decline", false],
  ["cancel", false],
])("an elicitation answered %s decides on the command", async (action, runs) => {
  await using server = await startMcpServer({
    model: [
      [{ call: "shell", args: { command: ["touch", "made.txt"] }, call_id: "c1" }],
      [{ message: "Done." }],
    ],
    config: { approval_policy: "untrusted" },
  });
  const asked: string[] = [];
  const client = server.connect(({ method, params }) => {
    asked.push(method, (params as { message: string }).message);
    return { action };
  });

  await client.call("tools/call", { name: "codex", arguments: { prompt: "go" } });

  expect(asked).toEqual([
    "elicitation/create",
    `Allow Codex to run \`touch made.txt\` in \`${server.workspace}\`?`,
  ]);
  expect(existsSync(join(server.workspace, "made.txt"))).toBe(runs);
});

test("a helper agent asks by an elicitation", async () => {
  await using server = await startMcpServer({
    model: {
      answers: [[spawn("writer")], wait, says("done")],
      agents: {
        "*": [calls("exec_command", { cmd: "touch made.txt", login: false }), says("made")],
      },
    },
    config: { model: "gpt-6-sol", approval_policy: "untrusted", sandbox_mode: "workspace-write" },
  });
  const client = server.connect(() => ({ action: "accept", content: {} }));

  await client.call("tools/call", { name: "codex", arguments: { prompt: "use a helper" } });

  expect(existsSync(join(server.workspace, "made.txt"))).toBe(true);
});

test("a cancelled call interrupts its turn", async () => {
  await using server = await startMcpServer({
    model: [[{ call: "shell", args: { command: ["sleep", "60"] } }]],
  });
  const client = server.connect();
  const calling = client.call("tools/call", { name: "codex", arguments: { prompt: "wait" } });
  for (;;) {
    const { params } = await client.until("codex/event");
    if ((params as { msg: { type: string } }).msg.type === "exec_command_begin") break;
  }

  client.peer.notify("notifications/cancelled", { requestId: 0 });

  expect(await calling).toEqual({
    content: [{ type: "text", text: "The turn was aborted: interrupted" }],
    isError: true,
  });
});

test.each([
  ["nothing", {}, "Unknown tool 'nothing'"],
  ["codex", {}, "Failed to parse configuration for Codex tool: missing field `prompt`"],
  ["codex", { prompt: "x", sandbox: "open" }, /params\.sandbox must be one of/],
  [
    "codex",
    { prompt: "x", config: { model_provider: "nowhere" } },
    /Failed to start Codex session/,
  ],
  ["codex-reply", { threadId: "gone", prompt: "x" }, "Session not found for thread_id: gone"],
])("%s with %j returns an error result", async (name, given, message) => {
  await using server = await startMcpServer();
  const client = server.connect();

  const result = (await client.call("tools/call", { name, arguments: given })) as {
    content: { text: string }[];
    isError: boolean;
  };

  expect(result.isError).toBe(true);
  expect(result.content[0]?.text).toMatch(message);
});

test("v1 methods are served beside the tools; others are rejected", async () => {
  await using server = await startMcpServer();
  const client = server.connect();

  expect(await client.call("getUserAgent")).toHaveProperty("userAgent");
  await expect(client.call("resources/list")).rejects.toMatchObject({ code: -32601 });
});

test("requests for permissions are declined over MCP, and the turn continues", async () => {
  await using server = await startMcpServer(asksPermissions);
  const asked: string[] = [];
  const client = server.connect(({ method }) => asked.push(method));

  const result = await client.call("tools/call", { name: "codex", arguments: { prompt: "go" } });

  expect(asked).toEqual([]);
  expect(result).toMatchObject({ content: [{ type: "text", text: "Done." }] });
});
