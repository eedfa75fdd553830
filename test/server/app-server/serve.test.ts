import { expect, test } from "vitest";
import { introduce, startAppServer } from "../../support/app-server.js";

test("nothing is answered before the client has said who it is, which it does once", async () => {
  await using server = await startAppServer();
  const client = server.connect();

  await expect(client.call("getUserAgent")).rejects.toThrow("Not initialized");
  await introduce(client);
  const { userAgent } = (await client.call("getUserAgent")) as { userAgent: string };

  expect(userAgent).toMatch(/ \(test; 1\.0\)$/);
  await expect(introduce(client)).rejects.toThrow("Already initialized");
});

test.each([
  ["initialize", {}, "Invalid request: missing field `clientInfo` (params.clientInfo is missing.)"],
  ["initialize", [1], "Invalid request: params of initialize must be an object."],
])("%s with %j is told what is wrong", async (method, params, message) => {
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
])("%s with %j is refused with the reason", async (method, params, message) => {
  await using server = await startAppServer();
  const client = server.connect();
  await introduce(client);

  await expect(client.call(method, params)).rejects.toThrow(message);
});

test("an older client is refused in the words it knows", async () => {
  await using server = await startAppServer({ era: "0.45" });
  const client = server.connect();
  await introduce(client);

  await expect(client.call("noSuchMethod")).rejects.toMatchObject({
    code: -32600,
    message: "Invalid request",
  });
});

test("what can still change is kept from clients of a version that have not asked for it", async () => {
  await using server = await startAppServer({ era: "0.104" });
  const [plain, curious] = [server.connect(), server.connect()];
  await introduce(plain);
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
])(
  "turn/start with %j is refused in the words that clients of a version know",
  async (params, reason) => {
    await using server = await startAppServer({ era: "0.104" });
    const client = server.connect();
    await introduce(client);

    await expect(client.call("turn/start", params)).rejects.toMatchObject({
      code: -32600,
      message: `Invalid request: ${reason}`,
    });
  },
);
