import { existsSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { RpcError, type RpcRequest } from "../../../src/jsonrpc/index.js";
import { createDeferred } from "../../../src/lib/async.js";
import type { TestClient, TestServer } from "../../support/server.js";
import { begin, initialize, say, startAppServer, startThread, told } from "../methods/thread.js";

const touch = {
  model: [
    [{ call: "shell", args: { command: ["touch", "made.txt"] }, call_id: "c1" }],
    [{ message: "Done." }],
  ],
  config: { approval_policy: "untrusted" },
};

function isMade({ workspace }: TestServer): boolean {
  return existsSync(join(workspace, "made.txt"));
}

/** Returns the completed item. */
function endOf(client: TestClient, id: string): unknown {
  const last = client.heard.findLast(({ method, params }) => {
    const { item } = (params ?? {}) as { item?: { id: string } };
    return method === "item/completed" && item?.id === id;
  });
  return (last?.params as { item: unknown } | undefined)?.item;
}

test("the item starts before its approval request, and accepting runs the command", async () => {
  await using server = await startAppServer(touch);
  const asked: unknown[] = [];
  const before: string[] = [];
  const client = server.connect(({ method, params }) => {
    before.push(...told(client));
    asked.push({ method, params });
    return { decision: "accept" };
  });
  const threadId = await begin(client);

  const turnId = await say(client, threadId, "go");
  await client.until("turn/completed");

  expect(asked).toEqual([
    {
      method: "item/commandExecution/requestApproval",
      params: {
        kind: "command",
        threadId,
        turnId,
        itemId: "c1",
        startedAtMs: expect.any(Number),
        environmentId: "local",
        command: "touch made.txt",
        cwd: server.workspace,
        commandActions: [{ type: "unknown", command: "touch made.txt" }],
        proposedExecpolicyAmendment: ["touch", "made.txt"],
        availableDecisions: [
          "accept",
          { acceptWithExecpolicyAmendment: { execpolicy_amendment: ["touch", "made.txt"] } },
          "cancel",
        ],
      },
    },
  ]);
  expect(before.slice(-2).sort()).toEqual([
    "item/started commandExecution",
    "thread/status/changed active waitingOnApproval",
  ]);
  const after = told(client).slice(before.length);
  expect(after.slice(0, 2)).toEqual(["serverRequest/resolved", "thread/status/changed active"]);
  expect(isMade(server)).toBe(true);
});

test.each<[string, () => unknown, { status: string; made: boolean; turn: string }]>([
  ["the bare word yes", () => "accept", { status: "completed", made: true, turn: "completed" }],
  ["no", () => ({ decision: "decline" }), { status: "declined", made: false, turn: "completed" }],
  ["nonsense", () => ({ maybe: 1 }), { status: "declined", made: false, turn: "completed" }],
  [
    "an error",
    () => {
      throw new RpcError(-32000, "I do not know such questions");
    },
    { status: "declined", made: false, turn: "completed" },
  ],
  [
    "a no that stops all",
    () => ({ decision: "cancel" }),
    { status: "declined", made: false, turn: "interrupted" },
  ],
])("%s is understood", async (_, answer, { status, made, turn }) => {
  await using server = await startAppServer(touch);
  const client = server.connect(answer);
  const threadId = await begin(client);

  await say(client, threadId, "go");
  const { params } = await client.until("turn/completed");

  expect(params).toMatchObject({ turn: { status: turn } });
  expect(endOf(client, "c1")).toMatchObject({ status });
  expect(isMade(server)).toBe(made);
});

test("the first answer counts, and the other client receives `serverRequest/resolved`", async () => {
  await using server = await startAppServer(touch);
  const [asked, waiting] = [createGate(), createGate()];
  const slow = server.connect(async () => {
    asked.open();
    await waiting.passed;
    return { decision: "accept" };
  });
  const threadId = await begin(slow);
  const quick = server.connect(async () => {
    await asked.passed;
    return { decision: "decline" };
  });
  await initialize(quick);

  await say(slow, threadId, "go");
  await slow.until("turn/started");
  await subscribe(quick, threadId);
  await slow.until("serverRequest/resolved");
  waiting.open();
  await slow.until("turn/completed");

  expect(isMade(server)).toBe(false);
  expect(endOf(slow, "c1")).toMatchObject({ status: "declined" });
  expect(slow.heard.filter(({ method }) => method === "serverRequest/resolved")).toHaveLength(1);
});

test("a pending request is sent to the next client after a disconnect", async () => {
  await using server = await startAppServer(touch);
  const gone = server.connect(() => new Promise(() => undefined));
  const threadId = await begin(gone);
  await say(gone, threadId, "go");
  await gone.until("item/started");
  await gone.until("item/started");
  await gone.close();

  const asked: string[] = [];
  const next = server.connect(({ method }: RpcRequest) => {
    asked.push(method);
    return { decision: "accept" };
  });
  await initialize(next);
  await subscribe(next, threadId);
  await next.until("turn/completed");

  expect(asked).toEqual(["item/commandExecution/requestApproval"]);
  expect(isMade(server)).toBe(true);
});

test("questions of the model are answered by the user", async () => {
  const options = [
    { label: "Red", description: "Warm" },
    { label: "Blue", description: "Cold" },
  ];
  const question = { id: "q1", header: "Color", question: "Which color?", options };
  const model = [
    [{ call: "request_user_input", args: { questions: [question] }, call_id: "c1" }],
    [{ message: "Done." }],
  ];
  await using server = await startAppServer({ model });
  const asked: unknown[] = [];
  const client = server.connect(({ method, params }) => {
    asked.push({ method, params });
    return { answers: { q1: { answers: ["Red"] } } };
  });
  const threadId = await begin(client);

  const input = [{ type: "text", text: "plan it" }];
  const collaborationMode = { mode: "plan", settings: { model: "mock-model" } };
  const { turn } = (await client.call("turn/start", { threadId, input, collaborationMode })) as {
    turn: { id: string };
  };
  await client.until("turn/completed");

  const place = { threadId, turnId: turn.id, itemId: "c1" };
  const questions = [{ ...question, isOther: true, isSecret: false }];
  expect(asked).toEqual([
    {
      method: "item/tool/requestUserInput",
      params: { ...place, questions, isBlocking: true, autoResolutionMs: null },
    },
  ]);
  expect(told(client)).toContain("thread/status/changed active waitingOnUserInput");
  expect(told(client)).toContain("serverRequest/resolved");
});

/** Minimal MCP server that sends an elicitation. */
const asker = `
const lines = require("node:readline").createInterface({ input: process.stdin });
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
const schema = { type: "object", properties: { name: { type: "string" } } };
let call;
lines.on("line", (line) => {
  const { id, method, params, result } = JSON.parse(line);
  if (method === "initialize") send({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "tiny", version: "1" } } });
  else if (method === "tools/list") send({ id, result: { tools: [{ name: "ask", inputSchema: { type: "object" } }] } });
  else if (method === "tools/call") {
    call = id;
    const { progressToken } = params._meta ?? {};
    send({ method: "notifications/progress", params: { progressToken, progress: 1, total: 2 } });
    send({ id: "q1", method: "elicitation/create", params: { message: "Who?", requestedSchema: schema } });
  } else if (id === "q1") send({ id: call, result: { content: [{ type: "text", text: JSON.stringify(result) }] } });
});`;

test("progress and elicitations of an MCP server reach the client", async () => {
  const model = [[{ call: "mcp__tiny__ask", args: {}, call_id: "c1" }], [{ message: "Done." }]];
  const config = { mcp_servers: { tiny: { command: process.execPath, args: ["-e", asker] } } };
  await using server = await startAppServer({ model, config });
  const asked: unknown[] = [];
  const client = server.connect(({ method, params }) => {
    asked.push({ method, params });
    return { action: "accept", content: { name: "Ada" }, _meta: null };
  });
  const threadId = await begin(client);

  const turnId = await say(client, threadId, "go");
  await client.until("turn/completed");

  const progress = client.heard.find(({ method }) => method === "item/mcpToolCall/progress");
  const place = { threadId, turnId, itemId: "c1" };
  expect(progress?.params).toEqual({ ...place, message: "1 of 2" });
  const requestedSchema = { type: "object", properties: { name: { type: "string" } } };
  const form = { mode: "form", _meta: null, message: "Who?", requestedSchema };
  expect(asked).toEqual([
    {
      method: "mcpServer/elicitation/request",
      params: { threadId, turnId, serverName: "tiny", ...form },
    },
  ]);
  const answer = '{"action":"accept","content":{"name":"Ada"}}';
  expect(endOf(client, "c1")).toMatchObject({
    type: "mcpToolCall",
    status: "completed",
    result: { content: [{ type: "text", text: answer }] },
  });
});

const lookup = {
  model: [[{ call: "lookup", args: { q: "x" }, call_id: "c1" }], [{ message: "Done." }]],
};
const tools = {
  dynamicTools: [{ name: "lookup", description: "Looks up.", inputSchema: { type: "object" } }],
};

test("a client tool is run by the client that has it", async () => {
  await using server = await startAppServer(lookup);
  const asked: unknown[] = [];
  const refused = createDeferred<void>();
  const able = server.connect(async ({ method, params }) => {
    asked.push({ method, params });
    await refused.promise;
    await nextTurn();
    await other.call("thread/loaded/list", {}); // the server has read the refusal before it
    return { contentItems: [{ type: "inputText", text: "found" }], success: true };
  });
  await initialize(able, { experimentalApi: true });
  const threadId = await startThread(able, tools);
  const other = server.connect(() => {
    refused.resolve();
    throw new RpcError(-32601, "No such method");
  });
  await initialize(other);
  await subscribe(other, threadId);

  const turnId = await say(able, threadId, "go");
  await able.until("turn/completed");

  const call = { threadId, turnId, callId: "c1", namespace: null, tool: "lookup" };
  const params = { ...call, arguments: { q: "x" } };
  expect(asked).toEqual([{ method: "item/tool/call", params }]);
  expect(endOf(able, "c1")).toMatchObject({
    type: "dynamicToolCall",
    status: "completed",
    success: true,
    contentItems: [{ type: "inputText", text: "found" }],
  });
});

test("a client tool that no client can run fails", async () => {
  await using server = await startAppServer(lookup);
  const client = server.connect(() => {
    throw new RpcError(-32601, "No such method");
  });
  await initialize(client, { experimentalApi: true });
  const threadId = await startThread(client, tools);

  await say(client, threadId, "go");
  await client.until("turn/completed");

  expect(endOf(client, "c1")).toMatchObject({ status: "failed", success: false });
});

/** Subscribes to a loaded thread. */
async function subscribe(client: TestClient, threadId: string): Promise<void> {
  await client.call("thread/resume", { threadId });
}

function createGate(): { passed: Promise<void>; open(): void } {
  let open = () => {};
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open };
}
