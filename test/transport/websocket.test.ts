import { once } from "node:events";
import { request } from "node:http";
import { connect as connectSocket } from "node:net";
import { describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { connect, Malformed, maxLineBytes } from "../../src/transport/index.js";
import { repeats } from "../support/counts.js";
import { readAll, take } from "./contract.js";
import { startTestServer, type TestServer } from "./server.js";

describe("upgrades", () => {
  test.each([
    ["a page of another site", { origin: "https://evil.example" }, 403],
    ["a page without a site", { origin: "null" }, 403],
    ["a page of this machine", { origin: "http://localhost:3000" }, 403],
    ["a page that hides its origin", { "sec-fetch-site": "cross-site" }, 403],
    ["a name that was pointed at this machine", { host: "evil.example:4500" }, 403],
    ["a name that begins like this machine", { host: "127.0.0.1.evil.example" }, 403],
    ["this machine by name", { host: "localhost:1" }, 101],
    ["this machine by its other address", { host: "[::1]:1" }, 101],
  ])("%s", async (_, headers, expected) => {
    await using server = await startTestServer("ws://127.0.0.1:0");

    expect(await upgradeStatus(server, { headers })).toBe(expected);
  });

  test("a page and a name of the allow-lists, and no others", async () => {
    await using server = await startTestServer("ws://127.0.0.1:0", {
      allowOrigins: ["https://ide.example"],
      allowHosts: ["quire.example"],
    });
    const status = (origin: string, host: string) =>
      upgradeStatus(server, { headers: { origin, host } });

    expect(await status("https://ide.example", "quire.example:80")).toBe(101);
    expect(await status("https://ide.example.evil", "quire.example")).toBe(403);
    expect(await status("https://ide.example", "other.example")).toBe(403);
  });

  test.each([
    ["the token", { headers: { authorization: "Bearer s3cret" } }, 101],
    ["no token", {}, 401],
    ["another token", { headers: { authorization: "Bearer s3cre7" } }, 401],
    ["an empty token", { headers: { authorization: "Bearer " } }, 401],
    ["a shorter token", { headers: { authorization: "Bearer s" } }, 401],
    ["another scheme", { headers: { authorization: "Basic s3cret" } }, 401],
    ["the token in the address", { path: "/?token=s3cret" }, 401],
    ["the token and an Origin", { headers: { authorization: "Bearer s3cret", origin: "x" } }, 403],
  ])("with a required token: %s", async (_, options, expected) => {
    await using server = await startTestServer("ws://127.0.0.1:0", { token: "s3cret" });

    expect(await upgradeStatus(server, options)).toBe(expected);
  });
});

describe("plain requests", () => {
  test("/readyz and /healthz report that the server is alive, to programs only", async () => {
    await using server = await startTestServer("ws://127.0.0.1:0", { token: "s3cret" });
    const status = (path: string, headers = {}) => plainStatus(server, { path, headers });

    expect(await status("/readyz")).toBe(200);
    expect(await status("/healthz")).toBe(200);
    expect(await status("/healthz", { origin: "https://evil.example" })).toBe(403);
    expect(await status("/healthz", { host: "evil.example" })).toBe(403);
    expect(await status("/")).toBe(404);
  });

  test("a post of a page has no effect and allows it nothing", async () => {
    await using server = await startTestServer("ws://127.0.0.1:0");
    const headers = { origin: "https://evil.example", "content-type": "text/plain" };
    const response = await plainRequest(server, { method: "POST", path: "/", headers });

    expect(response.statusCode).toBe(403);
    expect(Object.keys(response.headers).filter((name) => name.startsWith("access-"))).toEqual([]);
    expect(server.infos).toEqual([]);
  });

  test("a megabyte of headers and idle sockets do not stop the service", async () => {
    await using server = await startTestServer("ws://127.0.0.1:0");
    const idle = Array.from({ length: repeats(200, 60) }, () =>
      connectSocket(portOf(server), "127.0.0.1"),
    );
    for (const socket of idle) socket.on("error", () => {});
    await Promise.all(idle.map((socket) => once(socket, "connect")));
    for (const socket of idle.slice(idle.length / 2))
      socket.write("GET / HTTP/1.1\r\nUpgrade: webso");

    const heavy = plainStatus(server, { path: "/", headers: { x: "y".repeat(1024 * 1024) } });

    expect([431, "error"]).toContain(await heavy.catch(() => "error"));
    expect(await plainStatus(server, { path: "/readyz" })).toBe(200);
    expect(await upgradeStatus(server, {})).toBe(101);
    for (const socket of idle) socket.destroy();
  });
});

describe("frames", () => {
  test("a client receives messages that the server sends right after accepting", async () => {
    const received = [];
    for (let round = 0; round < 20; round++) {
      await using server = await startTestServer("ws://127.0.0.1:0");
      void server.accepted().then((channel) => channel.send("first word"));
      received.push(...(await take(await connect(server.url), 1)));
    }

    expect(received).toEqual(Array.from({ length: 20 }, () => "first word"));
  });

  test("text that is not UTF-8 or not JSON affects only its own message", async () => {
    await using server = await startTestServer("ws://127.0.0.1:0");
    const ws = new WebSocket(server.url);
    await once(ws, "open");

    ws.send(Buffer.from([0x22, 0xff, 0x22]), { binary: false });
    ws.send("not json");
    ws.send(Buffer.from('"binary"'));
    ws.send("");

    const messages = await take(await server.accepted(), 4);
    expect(messages[0]).toBe("\ufffd");
    expect(messages[1]).toBeInstanceOf(Malformed);
    expect(messages[2]).toBe("binary");
    expect(messages[3]).toBeInstanceOf(Malformed);
    ws.terminate();
  });

  test("a message over the limit ends the connection with the code for it", async () => {
    await using server = await startTestServer("ws://127.0.0.1:0");
    const ws = new WebSocket(server.url);
    await once(ws, "open");
    const messages = readAll(await server.accepted());
    const closed = once(ws, "close");

    ws.send(Buffer.alloc(maxLineBytes + 1, " "));

    expect((await closed)[0]).toBe(1009);
    expect(await messages).toEqual([]);
  });

  test("a connection that breaks in the middle of a frame ends without it", async () => {
    await using server = await startTestServer("ws://127.0.0.1:0");
    const ws = new WebSocket(server.url);
    const [[{ socket }]] = await Promise.all([once(ws, "upgrade"), once(ws, "open")]);
    const messages = readAll(await server.accepted());

    ws.send('"whole"', () => {
      socket.write(Buffer.from([0x81, 0x8a, 1, 2, 3, 4, 5]), () => socket.resetAndDestroy());
    });
    ws.on("error", () => {});

    expect(await messages).toEqual(["whole"]);
  });
});

interface RequestOptions {
  path?: string;
  method?: string;
  headers?: Record<string, string>;
}

async function upgradeStatus(server: TestServer, { path = "/", headers = {} }: RequestOptions) {
  const outgoing = request({
    port: portOf(server),
    host: "127.0.0.1",
    path,
    headers: {
      connection: "Upgrade",
      upgrade: "websocket",
      "sec-websocket-version": "13",
      "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
      ...headers,
    },
  });
  outgoing.end();
  const answer = Promise.race([once(outgoing, "upgrade"), once(outgoing, "response")]);
  const [response] = await answer;
  response.socket.destroy();
  return response.statusCode;
}

async function plainRequest(server: TestServer, options: RequestOptions) {
  const outgoing = request({ port: portOf(server), host: "127.0.0.1", agent: false, ...options });
  outgoing.end(options.method === "POST" ? '{"id":1,"method":"initialize"}' : undefined);
  const [response] = await once(outgoing, "response");
  response.resume();
  return response;
}

async function plainStatus(server: TestServer, options: RequestOptions): Promise<number> {
  return (await plainRequest(server, options)).statusCode;
}

function portOf(server: TestServer): number {
  return Number(server.url.split(":").at(-1));
}
