import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { RpcError } from "../../../src/jsonrpc/index.js";
import { spawn, wait } from "../../support/agents.js";
import { calls, says } from "../../support/model.js";
import { asksPermissions } from "../asks-permissions.js";
import { begin, initialize, startAppServer, userText } from "./conversation.js";

const touch = {
  model: [
    [{ call: "shell", args: { command: ["touch", "made.txt"] }, call_id: "c1" }],
    [{ message: "Done." }],
  ],
  config: { approval_policy: "untrusted" },
};

test("an approved command runs", async () => {
  await using server = await startAppServer(touch);
  const asked: unknown[] = [];
  const client = server.connect(({ id, method, params }) => {
    asked.push({ id, method, params });
    return { decision: "approved" };
  });
  const { conversationId } = await begin(client);

  await client.call("sendUserMessage", { conversationId, items: userText("go") });
  await client.until("codex/event/task_complete");

  const params = {
    conversationId,
    callId: "c1",
    command: ["touch", "made.txt"],
    cwd: server.workspace,
  };
  expect(asked).toEqual([{ id: 0, method: "execCommandApproval", params }]);
  expect(existsSync(join(server.workspace, "made.txt"))).toBe(true);
});

test.each([
  ["a no", () => ({ decision: "denied" })],
  ["a word that is not known", () => ({ decision: "maybe" })],
  ["something else altogether", () => 42],
  [
    "an error",
    () => {
      throw new RpcError(-32000, "no such method");
    },
  ],
])("%s does not run the command", async (_, answer) => {
  await using server = await startAppServer(touch);
  const client = server.connect(answer);
  const { conversationId } = await begin(client);

  await client.call("sendUserMessage", { conversationId, items: userText("go") });
  await client.until("codex/event/task_complete");

  expect(existsSync(join(server.workspace, "made.txt"))).toBe(false);
});

test("the first answer of several clients decides", async () => {
  await using server = await startAppServer(touch);
  const silent = server.connect(() => new Promise(() => {}));
  const quick = server.connect(() => ({ decision: "approved" }));
  const { conversationId } = await begin(silent);
  await initialize(quick);
  await quick.call("addConversationListener", { conversationId });

  await silent.call("sendUserMessage", { conversationId, items: userText("go") });
  await silent.until("codex/event/task_complete");

  expect(existsSync(join(server.workspace, "made.txt"))).toBe(true);
});

test("a request outlives the client it was sent to", async () => {
  await using server = await startAppServer(touch);
  const leaving = server.connect(() => new Promise(() => {}));
  const { conversationId } = await begin(leaving);
  await leaving.call("sendUserMessage", { conversationId, items: userText("go") });
  await leaving.until("codex/event/exec_approval_request");
  await leaving.close();

  const next = server.connect(() => ({ decision: "approved" }));
  await initialize(next);
  await next.call("addConversationListener", { conversationId });
  await next.until("codex/event/task_complete");

  expect(existsSync(join(server.workspace, "made.txt"))).toBe(true);
});

test("requests for permissions are declined for v1 clients", async () => {
  await using server = await startAppServer(asksPermissions);
  const asked: string[] = [];
  const client = server.connect(({ method }) => asked.push(method));
  const { conversationId } = await begin(client);

  await client.call("sendUserMessage", { conversationId, items: userText("go") });
  await client.until("codex/event/task_complete");

  expect(asked).toEqual([]);
  expect(client.heard.map(({ method }) => method)).toContain("codex/event/request_permissions");
});

test("a helper agent asks the client of the conversation that started it", async () => {
  await using server = await startAppServer({
    model: {
      answers: [[spawn("writer")], wait, says("done")],
      agents: {
        "*": [calls("exec_command", { cmd: "touch made.txt", login: false }, "c1"), says("made")],
      },
    },
    config: { model: "gpt-6-sol", approval_policy: "untrusted", sandbox_mode: "workspace-write" },
  });
  const asked: unknown[] = [];
  const client = server.connect(({ method, params }) => {
    asked.push({ method, params });
    return { decision: "approved" };
  });
  const { conversationId } = await begin(client);

  await client.call("sendUserMessage", { conversationId, items: userText("use a helper") });
  await client.until("codex/event/task_complete");

  const params = { conversationId, callId: "c1", agentPath: "/root/writer" };
  expect(asked).toMatchObject([{ method: "execCommandApproval", params }]);
  expect(existsSync(join(server.workspace, "made.txt"))).toBe(true);
});
