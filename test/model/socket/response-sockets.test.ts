import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type WebSocket, WebSocketServer } from "ws";
import { Codex } from "../../../src/index.js";
import { listenScriptedModel, type RecordedRequest } from "../../../src/model/scripted/index.js";
import type { ModelProvider } from "../../../src/model/types.js";
import type { ResponseItem } from "../../../src/protocol/types.js";
import {
  askAll,
  calls,
  clientOf,
  cuts,
  fails,
  hangs,
  promptOf,
  says,
} from "../../support/model.js";
import { failureOf } from "../ask.js";

const sockets: Partial<ModelProvider> = { supports_websockets: true };

const methods = (requests: readonly RecordedRequest[]) => requests.map(({ method }) => method);

const user = (text: string): ResponseItem => ({
  type: "message",
  role: "user",
  content: [{ type: "input_text", text }],
});

const answer = (text: string): ResponseItem => ({
  type: "message",
  role: "assistant",
  content: [{ type: "output_text", text }],
});

test("a turn with a tool sends only what is new, on one connection", async () => {
  const home = await mkdtemp(join(tmpdir(), "quire-sockets-"));
  const script = [calls("exec_command", { cmd: "echo hi" }), says("Done."), says("Again.")];
  await using model = await listenScriptedModel({ script });
  const provider = { base_url: model.baseUrl, supports_websockets: true, request_max_retries: 0 };
  const codex = new Codex({
    env: { PATH: process.env.PATH, HOME: home, CODEX_HOME: home },
    workingDirectory: home,
    sandboxMode: "danger-full-access",
    config: { model: "m", model_provider: "ws", model_providers: { ws: provider } },
  });
  const thread = codex.startThread();

  const first = await thread.run("go");
  const second = await thread.run("more");
  await codex.close();

  expect([first.finalResponse, second.finalResponse]).toEqual(["Done.", "Again."]);
  expect(methods(model.requests)).toEqual(["WEBSOCKET", "WEBSOCKET", "WEBSOCKET"]);
  const [whole, withOutput, next] = model.requests.map(({ body }) => body);
  expect(whole).not.toHaveProperty("previous_response_id");
  expect(whole).not.toHaveProperty("stream");
  expect(withOutput).toMatchObject({
    previous_response_id: "resp_0",
    input: [{ type: "function_call_output", call_id: "c1" }],
  });
  expect(next).toMatchObject({ previous_response_id: "resp_1", input: [{ role: "user" }] });
  await rm(home, { recursive: true, force: true });
});

describe("a request whose input does not continue the last one", () => {
  test.each<[string, ResponseItem[]]>([
    ["another answer", [user("go"), answer("Not that."), user("more")]],
    ["another start", [user("stop"), answer("Hello."), user("more")]],
    ["nothing new", [user("go"), answer("Hello.")]],
  ])("is sent whole: %s", async (_, input) => {
    await using model = await listenScriptedModel({ script: [says("Hello."), says("Bye.")] });
    using client = clientOf({ base_url: model.baseUrl, ...sockets });

    await askAll(client, promptOf({ input: [user("go")] }));
    await askAll(client, promptOf({ input }));

    const whole = model.requests[1]?.body as { input: unknown[] } | undefined;
    expect(whole).not.toHaveProperty("previous_response_id");
    expect(whole?.input).toHaveLength(input.length);
  });

  test("nor is one with other instructions shortened", async () => {
    await using model = await listenScriptedModel({ script: [says("Hello."), says("Bye.")] });
    using client = clientOf({ base_url: model.baseUrl, ...sockets });
    const input = [user("go"), answer("Hello."), user("more")];

    await askAll(client, promptOf({ input: [user("go")] }));
    await askAll(client, promptOf({ input, instructions: "Be long." }));

    expect(model.requests[1]?.body).not.toHaveProperty("previous_response_id");
  });
});

describe("a server that does not accept a WebSocket", () => {
  test("is asked over HTTP, and not again for a WebSocket", async () => {
    await using server = await serve((_, response) => stream(response, "one"));
    using client = clientOf({ base_url: server.url, ...sockets });

    const items = [...(await askAll(client)), ...(await askAll(client))];

    expect(items.filter(({ type }) => type === "completed")).toHaveLength(2);
    expect(server.seen).toEqual(["POST", "POST"]);
    expect(server.upgrades).toBe(1);
  });

  test("because it does not answer is asked over HTTP after the time limit", async () => {
    await using server = await serve((_, response) => stream(response, "one"), "silent");
    using client = clientOf({ base_url: server.url, ...sockets, websocket_connect_timeout_ms: 20 });

    const items = [...(await askAll(client)), ...(await askAll(client))];

    expect(items.filter(({ type }) => type === "completed")).toHaveLength(2);
    expect(server.upgrades).toBe(1);
  });

  test("because it is not there is the same failure as over HTTP", async () => {
    using client = clientOf({ base_url: "http://127.0.0.1:1/v1", ...sockets });

    expect(failureOf(await askAll(client))).toMatchObject({ kind: "connection", retryable: true });
  });
});

describe("an answer over a WebSocket", () => {
  test("has all deltas in order, for a slow reader too", async () => {
    const deltas = Array.from({ length: 5000 }, (_, at) => `${at} `);
    await using model = await listenScriptedModel({ script: [says(deltas.join(""), ...deltas)] });
    using client = clientOf({ base_url: model.baseUrl, ...sockets });

    const read: string[] = [];
    for await (const batch of client.stream(promptOf(), new AbortController().signal)) {
      for (const item of batch) if (item.type === "text_delta") read.push(item.delta);
      if (read.length % 500 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    }

    expect(read).toEqual(deltas);
  });

  test("that refuses with a rate limit is retried like over HTTP", async () => {
    const refused = fails(429, { error: { message: "slow down" } }, { "retry-after": "0" });
    await using model = await listenScriptedModel({ script: [refused, says("Hello.")] });
    using client = clientOf({ base_url: model.baseUrl, ...sockets, request_max_retries: 1 });

    const items = await askAll(client);

    expect(items.map(({ type }) => type)).toContain("retrying");
    expect(items.at(-1)?.type).toBe("completed");
    expect(methods(model.requests)).toEqual(["WEBSOCKET", "WEBSOCKET"]);
  });

  test("that refuses for good is reported in the server's sentence", async () => {
    const refused = fails(400, { error: { message: "no such model" } });
    await using model = await listenScriptedModel({ script: [refused] });
    using client = clientOf({ base_url: model.baseUrl, ...sockets });

    expect(failureOf(await askAll(client))?.message).toContain("no such model");
  });

  test("that breaks off is a lost connection; the second time in a row, HTTP is used", async () => {
    const half = cuts(says("Half", "Ha"));
    await using model = await listenScriptedModel({ script: [half, half, says("Whole.")] });
    using client = clientOf({ base_url: model.baseUrl, ...sockets });

    const outcomes = [];
    for (let count = 0; count < 3; count++) outcomes.push((await askAll(client)).at(-1)?.type);

    expect(outcomes).toEqual(["failed", "failed", "completed"]);
    expect(methods(model.requests)).toEqual(["WEBSOCKET", "WEBSOCKET", "POST"]);
  });

  test("ends when the caller aborts, and the next one gets another connection", async () => {
    const script = [hangs(says("Half")), says("Whole.")];
    await using model = await listenScriptedModel({ script });
    using client = clientOf({ base_url: model.baseUrl, ...sockets });
    const abort = new AbortController();

    const reading = (async () => {
      for await (const _ of client.stream(promptOf(), abort.signal)) abort.abort();
    })();

    await expect(reading).rejects.toThrow("aborted");
    expect((await askAll(client)).at(-1)?.type).toBe("completed");
  });

  test.each([
    ["previous_response_not_found", 400],
    ["websocket_connection_limit_reached", 400],
  ])("with the error %s is asked for again, whole, on a new connection", async (code, status) => {
    const asked: { connection: number; body: Record<string, unknown> }[] = [];
    await using server = await serve(refuseHttp, (ws, connection) => {
      ws.on("message", (data: Buffer) => {
        asked.push({ connection, body: JSON.parse(data.toString()) });
        const error = { type: "error", status, error: { code, message: code } };
        if (asked.length === 2) return ws.send(JSON.stringify(error));
        for (const event of events("Hello.", `r${asked.length}`)) ws.send(JSON.stringify(event));
      });
    });
    using client = clientOf({ base_url: server.url, ...sockets });
    const input = [user("go"), answer("Hello."), user("more")];

    await askAll(client, promptOf({ input: [user("go")] }));
    const items = await askAll(client, promptOf({ input }));

    expect(items.at(-1)).toMatchObject({ type: "completed", responseId: "r3" });
    expect(asked.map(({ connection }) => connection)).toEqual([1, 1, 2]);
    expect(asked[1]?.body.previous_response_id).toBe("r1");
    expect(asked[2]?.body).not.toHaveProperty("previous_response_id");
    expect(asked[2]?.body.input).toHaveLength(3);
  });

  test.each(["not JSON", "[]", '{"type":7}', "null"])(
    "that starts with %s is read on",
    async (text) => {
      await using server = await serve(refuseHttp, (ws) => {
        ws.on("message", () => {
          ws.send(text);
          for (const event of events("Hello.", "r")) ws.send(JSON.stringify(event, null, 2));
        });
      });
      using client = clientOf({ base_url: server.url, ...sockets });

      expect((await askAll(client)).at(-1)).toMatchObject({ type: "completed", responseId: "r" });
    },
  );
});

test("the handshake has the key and the headers of the provider", async () => {
  await using model = await listenScriptedModel({ script: [says("Hello.")] });
  using client = clientOf(
    { base_url: model.baseUrl, env_key: "KEY", http_headers: { "x-own": "1" }, ...sockets },
    { env: { KEY: "sk-1" } },
  );

  await askAll(client);

  expect(model.requests[0]?.headers).toMatchObject({
    authorization: "Bearer sk-1",
    "x-own": "1",
    "openai-beta": "responses_websockets=2026-02-06",
  });
});

/** Serves HTTP; upgrades are refused, ignored, or passed to `accept` with the number of the connection. */
async function serve(
  listener: RequestListener,
  accept?: "silent" | ((ws: WebSocket, connection: number) => void),
) {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    seen.push(request.method ?? "");
    request.resume().once("end", () => listener(request, response));
  });
  const sockets = new WebSocketServer({ noServer: true });
  const state = { upgrades: 0 };
  server.on("upgrade", (request, socket, head) => {
    const connection = ++state.upgrades;
    socket.on("error", () => undefined);
    if (accept === "silent") return;
    if (accept === undefined) return socket.end("HTTP/1.1 404 Not Found\r\n\r\n");
    sockets.handleUpgrade(request, socket, head, (ws) => accept(ws, connection));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    seen,
    get upgrades() {
      return state.upgrades;
    },
    async [Symbol.asyncDispose]() {
      for (const ws of sockets.clients) ws.terminate();
      server.closeAllConnections();
      server.close();
    },
  };
}

const refuseHttp: RequestListener = (_, response) => response.writeHead(418).end();

function events(text: string, id: string): object[] {
  const item = { type: "message", role: "assistant", content: [{ type: "output_text", text }] };
  return [
    { type: "response.created", response: { id } },
    { type: "response.output_item.done", item },
    { type: "response.completed", response: { id } },
  ];
}

function stream(response: Parameters<RequestListener>[1], text: string): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const event of events(text, "r")) response.write(`data: ${JSON.stringify(event)}\n\n`);
  response.end();
}
