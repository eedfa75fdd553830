import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { connectAppServer, RpcError, rpcCodes } from "../../src/client/index.js";
import { createPeer, type Notification } from "../../src/jsonrpc/index.js";
import { createDeferred } from "../../src/lib/async.js";
import { serveAppServer } from "../../src/server/app-server.js";
import { startInProcessAppServer } from "../../src/server/serve.js";
import { linkedChannels, listen } from "../../src/transport/index.js";
import { says } from "../support/model.js";
import { startTestServer } from "../support/server.js";

test("the client sends `initialize`, then `initialized`", async () => {
  const server = fakeServer();

  const client = await connectAppServer(server.channel, {
    clientInfo: { name: "test", version: "1" },
    capabilities: { experimentalApi: false },
  });

  await client.close();
  expect(server.heard).toEqual([
    {
      method: "initialize",
      params: {
        clientInfo: { name: "test", version: "1" },
        capabilities: { experimentalApi: false },
      },
    },
    { method: "initialized", params: undefined },
  ]);
  expect(client.server.userAgent).toBe("fake/1");
});

test("a rejected `initialize` closes the connection with the reason", async () => {
  const server = fakeServer({
    onInitialize() {
      throw new RpcError(rpcCodes.invalidRequest, "Already initialized");
    },
  });

  await expect(connectAppServer(server.channel)).rejects.toThrow("Already initialized");
  expect(server.channel.isOpen).toBe(false);
});

test("notifications arrive in order, unknown ones too, despite a listener that throws", async () => {
  const faults: unknown[] = [];
  const heard: string[] = [];
  const server = fakeServer();
  const client = await connectAppServer(server.channel, { onFault: (error) => faults.push(error) });
  const oops = new Error("oops");
  client.onNotification(() => {
    throw oops;
  });
  const stop = client.onNotification(({ method }) => heard.push(method));

  server.peer.notify("thread/started", {});
  server.peer.notify("thread/from/the/future", { x: 1 });
  await client.request("thread/loaded/list", {});
  stop();
  server.peer.notify("turn/started", {});
  await client.close();

  expect(heard).toEqual(["thread/started", "thread/from/the/future"]);
  expect(faults.slice(0, 2)).toEqual([oops, oops]);
});

test("a reply reaches its caller before the notifications that follow it", async () => {
  const heard: string[] = [];
  const server = fakeServer({
    onRequest() {
      // The reply is written once this function has returned.
      void Promise.resolve().then(() => server.peer.notify("thread/started", {}));
      return {};
    },
  });
  const client = await connectAppServer(server.channel);
  const notified = new Promise<void>((resolve) => {
    client.onNotification(({ method }) => {
      heard.push(method);
      resolve();
    });
  });

  await client.request("thread/start", {});
  heard.push("reply");
  await notified;

  expect(heard).toEqual(["reply", "thread/started"]);
  await client.close();
});

test("a server request is answered by its handler, or with an error", async () => {
  const server = fakeServer();
  const client = await connectAppServer(server.channel, {
    handlers: { "item/fileChange/requestApproval": () => ({ decision: "decline" }) },
  });
  client.onRequest("item/commandExecution/requestApproval", async () => ({ decision: "accept" }));

  const answers = await Promise.all([
    server.peer.request("item/commandExecution/requestApproval", {}),
    server.peer.request("item/fileChange/requestApproval", {}),
    server.peer.request("item/tool/call", {}).catch((error: unknown) => String(error)),
  ]);

  await client.close();
  expect(answers).toEqual([
    { decision: "accept" },
    { decision: "decline" },
    "RpcError: This client does not answer `item/tool/call`",
  ]);
});

test("a server request that another client has answered is cancelled", async () => {
  const server = fakeServer();
  let isTakenBack = false;
  const client = await connectAppServer(server.channel, {
    handlers: {
      "item/fileChange/requestApproval": (_, { signal }) =>
        new Promise((resolve) => {
          signal.addEventListener("abort", () => {
            isTakenBack = true;
            resolve({ decision: "cancel" });
          });
        }),
    },
  });

  const answer = server.peer.request("item/fileChange/requestApproval", {});
  server.peer.notify("serverRequest/resolved", { threadId: "t", requestId: 0 });
  await answer;

  await client.close();
  expect(isTakenBack).toBe(true);
});

test("[documents D13] the methods and notifications of v1 are typed as well", async () => {
  await using server = await startTestServer({ serve: serveAppServer, model: [says("hello")] });
  const [own, theirs] = linkedChannels();
  void serveAppServer(theirs, server.server);
  const told = createDeferred<string>();
  const client = await connectAppServer(own, {
    onNotification(message) {
      if (message.method === "codex/event/agent_message") told.resolve(message.params.msg.message);
    },
  });

  const { conversationId } = await client.request("newConversation", {});
  await client.request("addConversationListener", { conversationId });
  const items = [{ type: "text" as const, text: "hi" }];
  await client.request("sendUserMessage", { conversationId, items });

  expect(await told.promise).toBe("hello");
  await client.close();
});

test("pending requests are rejected when the connection is lost", async () => {
  const server = fakeServer({ onRequest: () => new Promise(() => undefined) });
  const client = await connectAppServer(server.channel);
  const waiting = client.request("thread/list", {});

  await server.peer.close();

  await expect(waiting).rejects.toThrow("The connection is closed");
  await client.closed;
  await expect(client.request("thread/list", {})).rejects.toThrow("The connection is closed");
  expect(client.signal.aborted).toBe(true);
});

test.each(["unix", "ws+unix", "tcp", "ws", "http", "h2", "grpc"])(
  "an app-server is reached over %s",
  async (scheme) => {
    await using server = await startTestServer({ serve: serveAppServer });
    const folder = await mkdtemp(join(tmpdir(), "quire-client-"));
    const place = scheme.endsWith("unix") ? join(folder, "s") : "127.0.0.1:0";
    const listener = await listen(`${scheme}://${place}`, {
      onConnection: (channel) => void serveAppServer(channel, server.server),
    });

    const client = await connectAppServer(listener.url);

    expect(client.server.userAgent).toContain("(quire-client; unknown)");
    await client.close();
    await listener.close();
    await rm(folder, { recursive: true });
  },
);

test("an app-server in this process ends with its client", async () => {
  const folder = await mkdtemp(join(tmpdir(), "quire-client-"));
  const env = { PATH: process.env.PATH, HOME: folder, CODEX_HOME: folder };
  const channel = startInProcessAppServer({ env, cwd: folder });

  const client = await connectAppServer(channel);
  await client.close();

  expect(channel.isOpen).toBe(false);
  await rm(folder, { recursive: true });
});

/** Server that answers `initialize`, and by default nothing else. */
function fakeServer({ onInitialize, onRequest }: FakeAnswers = {}) {
  const [own, theirs] = linkedChannels();
  const heard: Notification[] = [];
  const peer = createPeer(theirs, {
    writesVersion: false,
    onRequest({ method, params }) {
      heard.push({ method, params });
      if (method !== "initialize") return onRequest?.() ?? {};
      return onInitialize?.() ?? { userAgent: "fake/1" };
    },
    onNotification: (notification) => heard.push(notification),
  });
  return { channel: own, peer, heard };
}

interface FakeAnswers {
  onInitialize?: () => unknown;
  onRequest?: () => unknown;
}
