import type { RequestListener } from "node:http";
import { expect, test } from "vitest";
import {
  findLocalServers,
  noModelText,
  preferredModel,
  usualPlaces,
} from "../../src/model/local-servers.js";
import { startServer } from "../support/http-server.js";

const models = { object: "list", data: [{ id: "gpt-oss:20b" }, { id: "qwen3" }, { name: "odd" }] };

/** Creates a server with models and this response to an empty Responses API request. */
function answering(status: number, body: unknown = {}): RequestListener {
  return (request, response) => {
    const isList = request.method === "GET" && request.url === "/v1/models";
    response.statusCode = isList ? 200 : status;
    response.end(JSON.stringify(isList ? models : body));
  };
}

/** Probes one address. */
async function findAt(baseUrl: string, limitMs = 300) {
  const places = [{ id: "here", name: "Here", baseUrl }];
  const servers = await findLocalServers({ env: {}, places, limitMs });
  return servers.map((server) => [server.provider.wire_api, server.models]);
}

const names = ["gpt-oss:20b", "qwen3"];

test.each<[string, number, unknown, string]>([
  ["that says what is missing", 400, { error: "model is required" }, "responses"],
  ["that cannot process it", 422, {}, "responses"],
  ["without such a page", 404, { error: { code: 404, message: "File Not Found" } }, "chat"],
  ["that says all is well", 200, { error: "Unexpected endpoint or method." }, "chat"],
])("a server %s is used with the API it supports", async (_, status, body, wire) => {
  await using server = await startServer(answering(status, body));

  expect(await findAt(server.url)).toEqual([[wire, names]]);

  const asked = server.requests.map(({ method, url }) => `${method} ${url}`).sort();
  expect(asked).toEqual(["GET /v1/models", "POST /v1/responses"]);
});

test("all addresses are probed, and the servers found can be used as they are", async () => {
  await using one = await startServer(answering(404));
  await using two = await startServer(answering(400));
  const places = [
    { id: "none", name: "None", baseUrl: "http://127.0.0.1:1/v1" },
    { id: "two", name: "Two", baseUrl: two.url },
    { id: "one", name: "One", baseUrl: one.url },
  ];

  const servers = await findLocalServers({ env: {}, places });

  expect(servers.map(({ provider }) => provider.id)).toEqual(["two", "one"]);
  expect(servers[1]).toEqual({
    provider: {
      id: "one",
      name: "One",
      base_url: one.url,
      wire_api: "chat",
      request_max_retries: 4,
      stream_max_retries: 5,
      stream_idle_timeout_ms: 300_000,
      requires_openai_auth: false,
      store: false,
    },
    models: names,
  });
});

test.each<[string, RequestListener]>([
  ["never answers", () => undefined],
  ["answers something else", (_, response) => response.end("<html>")],
  ["answers without a list", (_, response) => response.end('{"error":"no"}')],
  ["refuses", (_, response) => response.writeHead(401).end()],
  ["hangs up", (request) => request.socket.destroy()],
  [
    "never stops",
    (_, response) => {
      const pour = () => {
        while (response.write("x".repeat(65_536)));
      };
      response.on("drain", pour);
      pour();
    },
  ],
])("a server that %s is not there", async (_, listener) => {
  await using server = await startServer(listener);

  expect(await findAt(server.url, 200)).toEqual([]);
});

test("an empty address is no server", async () => {
  expect(await findAt("nowhere")).toEqual([]);
  expect(await findAt("http://[")).toEqual([]);
});

test.each<[Record<string, string>, string[]]>([
  [{}, ["127.0.0.1:11434", "127.0.0.1:1234", "127.0.0.1:8080"]],
  [{ CODEX_OSS_PORT: "9" }, ["127.0.0.1:9", "127.0.0.1:1234", "127.0.0.1:8080"]],
  [{ CODEX_OSS_PORT: "x" }, ["127.0.0.1:11434", "127.0.0.1:1234", "127.0.0.1:8080"]],
  [{ OLLAMA_HOST: "0.0.0.0" }, ["127.0.0.1:11434", "127.0.0.1:1234", "127.0.0.1:8080"]],
  [{ OLLAMA_HOST: ":9" }, ["127.0.0.1:9", "127.0.0.1:1234", "127.0.0.1:8080"]],
  [{ OLLAMA_HOST: "box:9" }, ["box:9", "127.0.0.1:1234", "127.0.0.1:8080"]],
  [{ OLLAMA_HOST: "http://box/" }, ["box", "127.0.0.1:1234", "127.0.0.1:8080"]],
  [{ OLLAMA_HOST: "http://[" }, ["127.0.0.1:11434", "127.0.0.1:1234", "127.0.0.1:8080"]],
  [{ CODEX_OSS_BASE_URL: "http://box:9/v1/", OLLAMA_HOST: "x" }, ["box:9"]],
])("the usual places by %j", (env, hosts) => {
  expect(usualPlaces(env).map(({ baseUrl }) => baseUrl)).toEqual(
    hosts.map((host) => `http://${host}/v1`),
  );
});

test.each([
  [["nomic-embed-text", "qwen3", "openai/gpt-oss-20b"], "openai/gpt-oss-20b"],
  [["nomic-embed-text", "qwen3", "llama3"], "qwen3"],
  [["nomic-embed-text"], undefined],
  [[], undefined],
])("of %j %s is used unasked", (list, expected) => {
  expect(preferredModel(list)).toBe(expected);
});

test("without a model the message has three remedies", () => {
  expect(noModelText()).toMatch(
    /quire login[\s\S]*OPENAI_API_KEY[\s\S]*Ollama[\s\S]*--oss[\s\S]*quire demo/,
  );
});
