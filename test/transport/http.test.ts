import { once } from "node:events";
import { Agent, type IncomingMessage, request } from "node:http";
import { type ClientHttp2Session, connect as openSession } from "node:http2";
import { expect, test } from "vitest";
import { EventSession } from "../../src/transport/event-session.js";
import { EventStreamParser } from "../../src/transport/event-stream.js";
import { connect, Malformed } from "../../src/transport/index.js";
import { reader, take, until } from "./contract.js";
import { startTestServer } from "./server.js";

const events = { accept: "text/event-stream" };
const bearer = { authorization: "Bearer s3cret" };

test.each([
  ["GET", "/readyz", {}, 200],
  ["POST", "/healthz", {}, 405],
  ["GET", "/readyz", { origin: "https://evil.example" }, 403],
  ["GET", "/readyz", { host: "evil.example" }, 403],
  ["POST", "/", {}, 401],
  ["GET", "/", events, 401],
  ["GET", "/", { ...events, "last-event-id": "x.1" }, 401],
  ["POST", "/", { "quire-session": "x" }, 401],
  ["POST", "/?token=s3cret", {}, 401],
  ["POST", "/other", bearer, 404],
  ["GET", "/", bearer, 405],
  ["PUT", "/", bearer, 405],
  ["POST", "/", { ...bearer, origin: "https://evil.example" }, 403],
  ["GET", "/", { ...bearer, ...events, "sec-fetch-site": "cross-site" }, 403],
  ["POST", "/", { ...bearer, "quire-session": "x" }, 404],
  ["GET", "/", { ...bearer, ...events, "last-event-id": "x.1" }, 204],
  ["OPTIONS", "/", { origin: "https://evil.example" }, 403],
])("[documents 6] %s %s with %j is answered by %i", async (method, path, headers, expected) => {
  await using server = await startTestServer("http://127.0.0.1:0", { token: "s3cret" });

  const response = await ask(server.url, { method, path, headers });

  expect(response.statusCode).toBe(expected);
  response.destroy();
});

test("[documents 6] a page of an allowed origin may read its response", async () => {
  const origin = "https://ide.example";
  await using server = await startTestServer("http://127.0.0.1:0", {
    allowOrigins: [origin],
    token: "s3cret",
  });

  const preflight = await ask(server.url, { method: "OPTIONS", headers: { origin } });
  const stream = await ask(server.url, { headers: { origin, ...events, ...bearer } });

  expect(preflight.statusCode).toBe(204);
  expect(preflight.headers["access-control-allow-headers"]).toContain("authorization");
  expect(stream.headers).toMatchObject({
    "access-control-allow-origin": origin,
    "access-control-expose-headers": "quire-session",
    "content-type": "text/event-stream",
    "cache-control": "no-store",
  });
  stream.destroy();
});

test.each(["http", "h2"])(
  "[documents 6] over %s events are heard as a stream and messages are posted",
  async (scheme) => {
    await using server = await startTestServer(`${scheme}://127.0.0.1:0`);
    await using client = clientOf(server.url);
    const stream = await client.ask({ headers: events });
    const id = stream.headers["quire-session"] as string;
    const channel = await server.accepted();
    const session = { "quire-session": id };

    const posted = await client.ask({
      method: "POST",
      headers: { ...session, "content-type": "application/json" },
      body: '{\n  "id": 1,\n  "method": "initialize"\n}\n',
    });
    const lines = await client.ask({ method: "POST", headers: session, body: '"a"\n"b"\nnone\n' });
    const read = reader(channel);

    expect([posted.status, lines.status]).toEqual([202, 202]);
    expect(await read(4)).toEqual([
      { id: 1, method: "initialize" },
      "a",
      "b",
      expect.any(Malformed),
    ]);
    channel.send({ id: 1, result: "x\ny" });
    expect(await stream.until('\ndata: {"id":1')).toBe(
      `retry: 500\nevent: session\ndata: {"id":"${id}"}\n\n` +
        `id: ${id}.1\ndata: {"id":1,"result":"x\\ny"}\n\n`,
    );
    const ended = await client.ask({ method: "DELETE", headers: session });
    expect(ended.status).toBe(200);
    expect(await read(1)).toEqual([]);
    const late = await client.ask({ method: "POST", headers: session, body: "1" });
    expect(late.status).toBe(409);
    channel.send("still heard");
    await channel.close();
    expect(await stream.until('"still heard"\n\n')).toContain(`id: ${id}.2\n`);
  },
);

test.each(["http", "h2"])(
  "[documents 6] one request over %s is a channel too, in events or in lines",
  async (scheme) => {
    await using server = await startTestServer(`${scheme}://127.0.0.1:0`);
    await using client = clientOf(server.url);

    for (const headers of [events, { accept: "*/*" }]) {
      const answered = client.ask({ method: "POST", headers, body: '{"id":1}\n' });
      const channel = await server.accepted();
      expect(await take(channel, 1)).toEqual([{ id: 1 }]);
      channel.send({ id: 1, result: {} });
      await channel.close();
      const text = '{"id":1,"result":{}}\n';
      const expected = headers === events ? `data: ${text}\n` : text;
      expect(await (await answered).until(expected)).toBe(expected);
    }
  },
);

test("[documents 6] a stream that breaks is opened again where it broke", async () => {
  await using server = await startTestServer("http://127.0.0.1:0");
  const first = await ask(server.url, { headers: events });
  const id = first.headers["quire-session"];
  const channel = await server.accepted();
  channel.send("one");
  channel.send("two");
  await once(first, "data");
  first.destroy();
  await until(() => channel.backlog === 0);
  channel.send("three");

  const again = await ask(server.url, { headers: { ...events, "last-event-id": `${id}.1` } });
  channel.send("four");
  const received: unknown[] = [];
  const parser = new EventStreamParser({ onMessage: (one) => received.push(one), onId() {} });
  again.on("data", (chunk: Buffer) => parser.push(chunk));
  await until(() => received.length === 3);

  expect(received).toEqual(["two", "three", "four"]);
  again.destroy();
});

test("[documents 6] events that were dropped cannot be sent again, which ends the session", async () => {
  await using server = await startTestServer("http://127.0.0.1:0");
  const first = await ask(server.url, { headers: events });
  const id = first.headers["quire-session"];
  first.resume();
  const channel = await server.accepted();
  for (let n = 0; n < 40; n++) {
    channel.send("x".repeat(64 * 1024));
    await channel.drained();
  }
  await until(() => channel.backlog === 0);
  channel.send("last");
  first.destroy();

  const again = await ask(server.url, { headers: { ...events, "last-event-id": `${id}.1` } });

  expect(again.statusCode).toBe(410);
  expect(channel.isOpen).toBe(false);
});

test("[documents 6] the client resumes when its stream breaks", async () => {
  await using server = await startTestServer("http://127.0.0.1:0");
  const proxy = await breakingProxy(server.url);
  const near = await connect(proxy.url);
  const far = await server.accepted();
  const read = reader(near);
  far.send("before");
  expect(await read(1)).toEqual(["before"]);

  proxy.breakAll();
  far.send("after");

  expect(await read(1)).toEqual(["after"]);
  near.send("and back");
  expect(await take(far, 1)).toEqual(["and back"]);
  await near.close();
  proxy.close();
});

test("[documents 6] a client that stays away is gone, and an idle stream gets comments", async () => {
  const { PassThrough } = await import("node:stream");
  const output = new PassThrough();
  const ended = new Promise<void>((resolve) => {
    const session = new EventSession({ id: "s", onEnd: resolve, graceMs: 5, keepAliveMs: 5 });
    session.open(output);
  });
  let text = "";
  output.on("data", (chunk) => {
    text += chunk;
  });
  await until(() => text.includes(":\n\n:\n\n"));

  output.destroy();

  await ended;
});

interface Asked {
  method?: string;
  path?: string;
  headers?: Record<string, string>;
  body?: string;
}

async function ask(url: string, { method = "GET", path = "/", headers = {}, body }: Asked) {
  const sent = request(new URL(path, url), { method, headers, agent: new Agent() });
  sent.on("error", () => {});
  sent.end(body);
  const [response] = await once(sent, "response");
  (response as IncomingMessage).on("error", () => {});
  return response as IncomingMessage;
}

/** A response of either version of HTTP. */
interface Answer {
  status: number;
  headers: Record<string, unknown>;
  /** Waits until the body contains a text, and returns the body. */
  until(text: string): Promise<string>;
}

/** Creates a client of either version of HTTP, with Node's modules only. */
function clientOf(url: string): { ask(asked: Asked): Promise<Answer> } & AsyncDisposable {
  if (url.startsWith("http:")) {
    return {
      async ask(asked) {
        const response = await ask(url, asked);
        const { statusCode: status = 0, headers } = response;
        return { status, headers, until: textOf(response) };
      },
      async [Symbol.asyncDispose]() {},
    };
  }
  const session: ClientHttp2Session = openSession(url.replace("h2://", "http://"));
  session.on("error", () => {});
  return {
    async ask({ method = "GET", path = "/", headers = {}, body = "" }) {
      const stream = session.request({ ":method": method, ":path": path, ...headers });
      if (!stream.writableEnded) stream.end(body);
      const [answer] = await once(stream, "response");
      return { status: answer[":status"], headers: answer, until: textOf(stream) };
    },
    async [Symbol.asyncDispose]() {
      session.destroy();
    },
  };
}

function textOf(body: NodeJS.ReadableStream): (text: string) => Promise<string> {
  let received = "";
  body.on("data", (chunk) => {
    received += chunk;
  });
  return async (text) => {
    await until(() => received.includes(text));
    return received;
  };
}

/** Starts a proxy whose connections can be cut. */
async function breakingProxy(target: string) {
  const { connect: open, createServer } = await import("node:net");
  const sockets = new Set<import("node:net").Socket>();
  const port = Number(target.split(":").at(-1));
  const proxy = createServer((socket) => {
    const server = open(port, "127.0.0.1");
    for (const one of [socket, server]) sockets.add(one.on("error", () => {}));
    socket.pipe(server).pipe(socket);
  }).listen(0, "127.0.0.1");
  await once(proxy, "listening");
  const address = proxy.address() as import("node:net").AddressInfo;
  const breakAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `http://127.0.0.1:${address.port}`,
    breakAll,
    close() {
      proxy.close();
      breakAll();
    },
  };
}
