import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import { expect, test } from "vitest";
import { type ClientListener, McpClient } from "../../src/mcp/client.js";

type Message = JSONRPCMessage & { id?: number; method?: string; params?: Record<string, unknown> };

const signal = new AbortController().signal;

/** Connects a client to a server that answers each request with `answer`. */
async function connect(
  answer: (message: Message) => object | undefined,
  listener: Partial<ClientListener> = {},
) {
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const received: Message[] = [];
  theirs.onmessage = (message) => {
    received.push(message as Message);
    const reply = answer(message as Message);
    const { id } = message as Message;
    if (reply !== undefined && id !== undefined) {
      void theirs.send({ jsonrpc: "2.0", id, ...reply } as JSONRPCMessage);
    }
  };
  await theirs.start();
  const client = new McpClient({
    answerElicitation: async () => ({ action: "decline" }),
    onToolsChanged: () => {},
    ...listener,
  });
  await client.connect(ours);
  return { client, theirs, received };
}

test("initializes with our version and returns the server's facts", async () => {
  const result = {
    protocolVersion: "2025-06-18",
    capabilities: { tools: {} },
    serverInfo: { name: "S", version: "1" },
    instructions: "Be nice.",
  };
  const { client, received } = await connect(() => ({ result }));

  expect(await client.initialize("1.2.3", signal)).toEqual({
    capabilities: { tools: {} },
    info: { name: "S", version: "1" },
    instructions: "Be nice.",
  });
  expect(received.map(({ method }) => method)).toEqual(["initialize", "notifications/initialized"]);
  expect(received[0]?.params?.clientInfo).toMatchObject({ version: "1.2.3" });
});

test("tolerates wrong fields, but not a missing protocol version", async () => {
  const odd = await connect(() => ({
    result: { protocolVersion: "1", capabilities: 7, serverInfo: "x", instructions: 1 },
  }));
  const none = await connect(() => ({ result: {} }));

  expect(await odd.client.initialize("1", signal)).toEqual({ capabilities: {} });
  await expect(none.client.initialize("1", signal)).rejects.toThrow(
    "the server's `initialize` result has no `protocolVersion`",
  );
});

test("errors of the server reject the request", async () => {
  const { client } = await connect(() => ({ error: { code: -32601, message: "unknown" } }));

  await expect(client.sendRequest("x", {}, {})).rejects.toMatchObject({ code: -32601 });
});

test("progress is passed on with the fields that the server sends", async () => {
  const seen: unknown[] = [];
  const { client, theirs, received } = await connect(() => undefined);
  const pending = client.sendRequest("tools/call", {}, { onProgress: (value) => seen.push(value) });
  await expect.poll(() => received.length).toBe(1);
  const meta = received[0]?.params?._meta as { progressToken: number };
  const params = { progressToken: meta.progressToken, progress: 1, total: 2 };
  await theirs.send({ jsonrpc: "2.0", method: "notifications/progress", params });
  await theirs.send({ jsonrpc: "2.0", id: received[0]?.id ?? 0, result: {} });

  expect(await pending).toEqual({});
  expect(seen).toEqual([{ progress: 1, total: 2 }]);
});

/** Sends a request of the server and waits for the client's reply. */
async function ask(theirs: InMemoryTransport, received: Message[], params: object) {
  const request = { jsonrpc: "2.0", id: 9, method: "elicitation/create", params };
  await theirs.send(request as JSONRPCMessage);
  await expect.poll(() => received.length).toBe(1);
  return received[0] as unknown as { result?: object; error?: { message: string } };
}

const schema = { type: "object", properties: { name: { type: "string" } } };

test("an elicitation is answered by the listener", async () => {
  const questions: unknown[] = [];
  const { theirs, received } = await connect(() => undefined, {
    async answerElicitation(question) {
      questions.push(question);
      return { action: "accept", content: { name: "me" } };
    },
  });

  const reply = await ask(theirs, received, { message: "Name?", requestedSchema: schema });

  expect(reply.result).toEqual({ action: "accept", content: { name: "me" } });
  expect(questions).toEqual([{ id: 9, message: "Name?", requestedSchema: schema }]);
});

test("URL elicitation is refused", async () => {
  const { theirs, received } = await connect(() => undefined);
  const params = { mode: "url", message: "m", url: "https://x.example", elicitationId: "e" };

  expect((await ask(theirs, received, params)).error?.message).toContain(
    "URL elicitation is not supported",
  );
});

test("a changed tool list is reported", async () => {
  let changes = 0;
  const { theirs } = await connect(() => undefined, { onToolsChanged: () => void changes++ });

  await theirs.send({ jsonrpc: "2.0", method: "notifications/tools/list_changed" });

  await expect.poll(() => changes).toBe(1);
});
