import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { serveFleetQueues } from "../../../src/fleet/gateway/index.js";
import { serveAppServer } from "../../../src/server/app-server.js";
import { serveMcp } from "../../../src/server/mcp/serve.js";
import { calls, says } from "../../support/model.js";
import { ChannelClient } from "../../support/server.js";
import { QueueClient } from "./queue-client.js";
import { startFleet, type TestFleet, type TestGateway } from "./test-fleet.js";

const configure = (fleet: TestFleet, more: object = {}) => ({
  type: "configure_session",
  cwd: fleet.workspace,
  ...more,
});
const says1 = { type: "user_input", items: [{ type: "text", text: "hi" }] };
const open = async (gateway: TestGateway) => new QueueClient(await gateway.open(serveFleetQueues));

test("a client of the queues starts a thread, and continues it at another gateway", async () => {
  await using fleet = await startFleet({ model: [says("One."), says("Two.")] });
  const [one, two] = fleet.gateways;
  const first = await open(one);
  first.submit("1", configure(fleet));
  const { msg, id } = await first.until("session_configured");
  expect(id).toBe("1");
  first.submit("2", says1);
  const end = await first.until("task_complete");
  expect(end).toMatchObject({ id: "2", msg: { last_agent_message: "One." } });
  await first.close();

  const second = await open(two);
  second.submit("1", configure(fleet, { resume_path: msg.session_id }));
  await second.until("session_configured");
  second.submit("2", says1);

  expect(await second.until("task_complete")).toMatchObject({
    id: "2",
    msg: { last_agent_message: "Two." },
  });
  second.submit("3", { type: "shutdown" });
  await second.until("shutdown_complete");
});

test("an approval over the queues is answered at another gateway", async () => {
  const command = ["touch", "made"];
  await using fleet = await startFleet({
    model: [calls("shell", { command }, "c1"), says("Done.")],
  });
  const [one, two] = fleet.gateways;
  const first = await open(one);
  const policies = { approval_policy: "untrusted", sandbox_policy: { mode: "workspace-write" } };
  first.submit("1", configure(fleet, policies));
  const { msg } = await first.until("session_configured");
  first.submit("2", says1);
  await first.until("exec_approval_request");
  const second = await open(two);
  second.submit("1", configure(fleet, { resume_path: msg.session_id }));
  const asked = await second.until("exec_approval_request");

  second.submit("2", { type: "exec_approval", id: asked.msg.call_id, decision: "approved" });

  expect(await first.until("task_complete")).toMatchObject({ id: "2" });
  expect(existsSync(join(fleet.workspace, "made"))).toBe(true);
});

test("a client of the queues gets an error for what cannot be done", async () => {
  await using fleet = await startFleet({ model: [] });
  const client = await open(fleet.gateways[0]);

  client.submit("1", says1);
  const early = await client.until("error");
  client.submit("2", configure(fleet, { resume_path: "/some/file" }));
  const path = await client.until("error");
  client.submit("3", configure(fleet, { resume_path: "019a0000-0000-7000-8000-000000000001" }));
  const unknown = await client.until("error");

  expect([early, path, unknown]).toMatchObject([
    { id: "1", msg: { message: expect.stringContaining("send configure_session first") } },
    { id: "2", msg: { message: expect.stringContaining("Expected the id of a thread") } },
    { id: "3", msg: { message: expect.stringContaining("The fleet has no thread") } },
  ]);
});

test("a client of v1 starts a conversation, and continues it at another gateway", async () => {
  await using fleet = await startFleet({ model: [says("One."), says("Two.")] });
  const turn = async (client: ChannelClient, conversationId: string) => {
    await client.call("addConversationListener", { conversationId });
    const items = [{ type: "text", data: { text: "hi" } }];
    await client.call("sendUserMessage", { conversationId, items });
    const { params } = await client.until("codex/event/task_complete");
    return params;
  };
  const connectTo = async (gateway: TestGateway) => {
    const client = new ChannelClient(await gateway.open(serveAppServer), () => ({}), false);
    await client.call("initialize", { clientInfo: { name: "test", version: "1" } });
    return client;
  };
  const [one, two] = fleet.gateways;
  const first = await connectTo(one);
  const { conversationId } = (await first.call("newConversation", {
    cwd: fleet.workspace,
  })) as { conversationId: string };

  expect(await turn(first, conversationId)).toMatchObject({ msg: { last_agent_message: "One." } });
  expect(await turn(await connectTo(two), conversationId)).toMatchObject({
    msg: { last_agent_message: "Two." },
  });
});

test("a client of MCP starts a session, and continues it at another gateway", async () => {
  await using fleet = await startFleet({ model: [says("One."), says("Two.")] });
  const [one, two] = fleet.gateways;
  const first = new ChannelClient(await one.open(serveMcp), () => ({}), true);
  const second = new ChannelClient(await two.open(serveMcp), () => ({}), true);

  const started = (await first.call("tools/call", {
    name: "codex",
    arguments: { prompt: "hi", cwd: fleet.workspace, "approval-policy": "never" },
  })) as { structuredContent: { threadId: string; content: string } };
  const { threadId } = started.structuredContent;
  const continued = await second.call("tools/call", {
    name: "codex-reply",
    arguments: { threadId, prompt: "more" },
  });

  expect(started.structuredContent.content).toBe("One.");
  expect(continued).toMatchObject({ structuredContent: { threadId, content: "Two." } });
});

test.each(["ws", "tcp", "http", "h2", "grpc", "unix"])(
  "threads are served over %s in every protocol",
  async (transport) => {
    await using fleet = await startFleet({ model: [says("One."), says("Two.")] });
    const [gateway] = fleet.gateways;
    let count = 0;
    const address = () =>
      transport === "unix"
        ? `unix://${join(fleet.workspace, `${count++}.sock`)}`
        : `${transport}://127.0.0.1:0`;

    const queues = new QueueClient(await gateway.open(serveFleetQueues, address()));
    queues.submit("1", configure(fleet));
    await queues.until("session_configured");
    queues.submit("2", says1);
    const { msg } = await queues.until("task_complete");
    const mcp = new ChannelClient(await gateway.open(serveMcp, address()), () => ({}), true);
    const session = await mcp.call("tools/call", {
      name: "codex",
      arguments: { prompt: "hi", cwd: fleet.workspace },
    });
    const v2 = new ChannelClient(await gateway.open(serveAppServer, address()), () => ({}), false);
    await v2.call("initialize", { clientInfo: { name: "test", version: "1" } });
    const { data } = (await v2.call("thread/list", {
      sourceKinds: ["cli", "vscode", "exec", "appServer", "unknown"],
    })) as { data: unknown[] };

    expect(msg.last_agent_message).toBe("One.");
    expect(session).toMatchObject({ structuredContent: { content: "Two." } });
    expect(data).toHaveLength(2);
    await Promise.all([queues.close(), mcp.peer.close(), v2.peer.close()]);
  },
);
