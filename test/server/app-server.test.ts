import { expect, test } from "vitest";
import { serveAppServer } from "../../src/server/app-server.js";
import { linkedChannels } from "../../src/transport/index.js";
import { initialize, startAppServer } from "../support/app-server.js";
import { says } from "../support/model.js";
import { reader } from "../transport/contract.js";

test("v2 methods require `initialize`, which is accepted once", async () => {
  await using server = await startAppServer();
  const client = server.connect();

  await expect(client.call("model/list")).rejects.toThrow("Not initialized");
  await expect(client.call("noSuchMethod")).rejects.toThrow("Not initialized");
  await initialize(client);
  const { userAgent } = (await client.call("getUserAgent")) as { userAgent: string };

  expect(userAgent).toMatch(/ \(test; 1\.0\)$/);
  await expect(initialize(client)).rejects.toThrow("Already initialized");
});

test("[documents D11] v1 methods work without `initialize`", async () => {
  await using server = await startAppServer({ model: [says("hello")] });
  const client = server.connect();

  const { conversationId } = (await client.call("newConversation", {})) as {
    conversationId: string;
  };
  await client.call("addConversationListener", { conversationId });
  await client.call("sendUserMessage", {
    conversationId,
    items: [{ type: "text", data: { text: "hi" } }],
  });
  await client.until("codex/event/task_complete");
  server.server.notifyAll("skills/changed", {});
  await client.call("interruptConversation", { conversationId });

  expect(client.heard.map(({ method }) => method)).toContain("codex/event/agent_message");
  const others = client.heard.filter(({ method }) => !method.startsWith("codex/event/"));
  expect(others).toEqual([]);
});

test("[documents D11] an older version rejects v1 methods before `initialize`", async () => {
  await using server = await startAppServer({ era: "0.45" });

  await expect(server.connect().call("getUserAgent")).rejects.toThrow("Not initialized");
});

test("[documents 3] a client whose first message has the version gets it in every message", async () => {
  await using server = await startAppServer({ model: [says("hello")] });
  const [own, theirs] = linkedChannels();
  void serveAppServer(theirs, server.server);
  const read = reader(own);
  const clientInfo = { name: "test", version: "1.0" };

  own.send({ jsonrpc: "2.0", id: 0, method: "initialize", params: { clientInfo } });
  await read(1);
  own.send({ id: 1, method: "noSuchMethod" });
  own.send({ id: 2, method: "thread/start", params: {} });
  const messages = await read(3);
  own.destroy();

  expect(messages).toEqual([
    { jsonrpc: "2.0", id: 1, error: expect.anything() },
    { jsonrpc: "2.0", id: 2, result: expect.anything() },
    expect.objectContaining({ jsonrpc: "2.0", method: "thread/started" }),
  ]);
});

test.each([
  ["initialize", {}, "Invalid request: missing field `clientInfo` (params.clientInfo is missing.)"],
  ["initialize", [1], "Invalid request: params of initialize must be an object."],
])("%s with %j is rejected with a message", async (method, params, message) => {
  await using server = await startAppServer();
  const client = server.connect();

  await expect(client.call(method, params)).rejects.toMatchObject({ code: -32600, message });
});

test.each([
  [
    "newConversatoin",
    {},
    /there is no method `newConversatoin`\. Did you mean `newConversation`\?/,
  ],
  ["newConversation", { approvalPolicy: "sometimes" }, /params\.approvalPolicy must be one of/],
  ["sendUserMessage", undefined, /params\.conversationId is missing/],
  ["sendUserMessage", { conversationId: "x", items: [] }, /conversationId must be a UUID, not "x"/],
])("%s with %j is rejected with the reason", async (method, params, message) => {
  await using server = await startAppServer();
  const client = server.connect();
  await initialize(client);

  await expect(client.call(method, params)).rejects.toThrow(message);
});

test("an older client gets the errors of its version", async () => {
  await using server = await startAppServer({ era: "0.45" });
  const client = server.connect();
  await initialize(client);

  await expect(client.call("noSuchMethod")).rejects.toMatchObject({
    code: -32600,
    message: "Invalid request",
  });
});

test("experimental methods require the capability", async () => {
  await using server = await startAppServer({ era: "0.104" });
  const [plain, curious] = [server.connect(), server.connect()];
  await initialize(plain);
  const clientInfo = { name: "test", version: "1.0" };
  const capabilities = { experimentalApi: true };
  await curious.call("initialize", { clientInfo, capabilities });

  await expect(plain.call("collaborationMode/list", {})).rejects.toMatchObject({
    code: -32600,
    message: "collaborationMode/list requires experimentalApi capability",
  });
  await expect(plain.call("thread/start", { experimentalRawEvents: true })).rejects.toThrow(
    "thread/start.experimentalRawEvents requires experimentalApi capability",
  );
  await plain.call("thread/start", { experimentalRawEvents: false, dynamicTools: null });
  await curious.call("collaborationMode/list", {});
});

test("params become experimental with their version, and never in our newest form", async () => {
  const start = async (era: "0.104" | "0.166" | "current") => {
    await using server = await startAppServer({ era });
    const client = server.connect();
    await initialize(client);
    return await client.call("thread/start", { permissions: ":read-only" }).then(
      () => "started",
      (error: Error) => error.message,
    );
  };

  const refusal = "thread/start.permissions requires experimentalApi capability";
  expect(await start("0.104")).toBe("started");
  expect(await start("0.166")).toBe(refusal);
  expect(await start("current")).toBe("started");
});

const id = "01a1e12e-0dd5-7004-8128-000000000000";
const inputKinds = "`text`, `image`, `localImage`, `skill`, `mention`";
const policies = "`dangerFullAccess`, `readOnly`, `externalSandbox`, `workspaceWrite`";

test.each([
  [{ input: [] }, "missing field `threadId`"],
  [{ threadId: 5, input: [] }, "invalid type: integer `5`, expected a string"],
  [{ threadId: id, input: "x" }, 'invalid type: string "x", expected a sequence'],
  [{ threadId: id, input: [{ text: "x" }] }, "missing field `type`"],
  [
    { threadId: id, input: [{ type: "song" }] },
    `unknown variant \`song\`, expected one of ${inputKinds}`,
  ],
  [
    { threadId: id, input: [], sandboxPolicy: { type: "loose" } },
    `unknown variant \`loose\`, expected one of ${policies}`,
  ],
])("turn/start with %j is rejected with the message of the era", async (params, reason) => {
  await using server = await startAppServer({ era: "0.104" });
  const client = server.connect();
  await initialize(client);

  await expect(client.call("turn/start", params)).rejects.toMatchObject({
    code: -32600,
    message: `Invalid request: ${reason}`,
  });
});

test("clients of 0.104 do not have methods that came later; the program itself does", async () => {
  const refusalOf = async (era: "0.104" | "0.166", hasAllMethods = false) => {
    await using server = await startAppServer({ era });
    server.server.hasAllMethods = hasAllMethods;
    const client = server.connect();
    await initialize(client);
    return await client.call("fs/getMetadata", { path: server.workspace }).then(
      () => undefined,
      (error: Error) => error.message,
    );
  };

  expect(await refusalOf("0.104")).toContain("unknown variant `fs/getMetadata`");
  expect(await refusalOf("0.104", true)).toBeUndefined();
  expect(await refusalOf("0.166")).toBeUndefined();
});
