import { once } from "node:events";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { rm } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { connect, listen } from "../../src/transport/index.js";
import { Devices } from "../../src/transport/web/devices.js";
import { PairingCodes } from "../../src/transport/web/pairing-codes.js";
import { websocketStatus } from "../support/websocket-status.js";

describe("the page", () => {
  test("is served with headers that forbid inline code, framing and other origins", async () => {
    await using server = await startWeb();
    const page = await server.send({ path: "/" });

    expect(page.status).toBe(200);
    expect(page.body).toBe("<!doctype html>");
    const policy = String(page.headers["content-security-policy"]);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("base-uri 'none'");
    expect(policy).toContain("form-action 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain("unsafe");
    expect(page.headers).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "x-frame-options": "DENY",
      "cache-control": "no-cache",
    });
    expect(Object.keys(page.headers).filter((name) => name.startsWith("access-"))).toEqual([]);
  });

  test("is compressed, and its hashed files are cached for good", async () => {
    await using server = await startWeb();
    const file = "/main-ABCD1234.js";
    const answer = await server.send({ path: file, headers: { "accept-encoding": "gzip" } });
    const again = { "if-none-match": String(answer.headers.etag) };

    expect(gunzipSync(answer.bytes).toString()).toBe("page()");
    expect(answer.headers["cache-control"]).toContain("immutable");
    expect((await server.send({ path: file, headers: again })).status).toBe(304);
  });

  test.each(["/../secret", "/%2e%2e/secret", "/devices", "/codes", "//", "/index.html/", "/x"])(
    "has no file at %s",
    async (path) => {
      await using server = await startWeb();

      expect((await server.send({ path })).status).toBe(404);
    },
  );

  test.each(["PUT", "DELETE", "POST", "OPTIONS"])("is not changed by %s", async (method) => {
    await using server = await startWeb();
    const answer = await server.send({ path: "/", method });

    expect(answer.status).toBe(405);
    expect(Object.keys(answer.headers).filter((name) => name.startsWith("access-"))).toEqual([]);
  });
});

describe("hosts", () => {
  const paths = ["/", "/main-ABCD1234.js", "/pair", "/ws", "/device", "/healthz", "/none"];

  test.each(paths)("a name that was pointed at this machine is refused at %s", async (path) => {
    await using server = await startWeb();
    const foreign = [
      "evil.example",
      `evil.example:${server.port}`,
      "127.0.0.1.evil.example",
      "x@127.0.0.1",
    ];
    const statuses = foreign.map(
      async (host) => (await server.send({ path, headers: { host } })).status,
    );

    for (const status of await Promise.all(statuses)) {
      expect(status).toBeGreaterThanOrEqual(400);
      expect(status).toBeLessThan(500);
    }
  });

  test("another port, and a foreign name of a WebSocket, are refused", async () => {
    await using server = await startWeb();
    const cookie = await server.pair();
    const upgrade = (host: string) => websocketStatus(`${server.page}/ws`, { cookie, host });

    expect(await upgrade("127.0.0.1:1")).toBe(403);
    expect(await upgrade(`evil.example:${server.port}`)).toBe(403);
    expect(await upgrade(`localhost:${server.port}`)).toBe(101);
    expect(await upgrade(`[::1]:${server.port}`)).toBe(101);
  });

  test("--allow-host adds the name of a proxy, with its origin over TLS", async () => {
    await using server = await startWeb({ allowHosts: ["quire.example"] });
    const cookie = await server.pair();
    const status = (host: string, origin: string) =>
      websocketStatus(`${server.page}/ws`, { cookie, host, origin });

    expect(await status("quire.example", "https://quire.example")).toBe(101);
    expect(await status("quire.example", "https://quire.example.evil")).toBe(403);
    expect(await status("other.example", "https://other.example")).toBe(403);
  });
});

describe("pairing", () => {
  test("sets a cookie that no page can read, and stores only its hash", async () => {
    await using server = await startWeb();
    const answer = await server.post({ code: server.codes.create(), name: "Phone\n1" });

    expect(answer.status).toBe(204);
    const [cookie = "", ...flags] = String(answer.headers["set-cookie"]).split("; ");
    expect(flags).toEqual(["HttpOnly", "SameSite=Strict", "Path=/", "Max-Age=34560000"]);
    const secret = cookie.split("=")[1] ?? "";
    expect(Buffer.from(secret, "base64url")).toHaveLength(32);
    expect(server.devices.list()).toMatchObject([{ name: "Phone 1" }]);
    expect(stored(server.store)).not.toContain(secret);
    expect(await websocketStatus(`${server.page}/ws`, { cookie })).toBe(101);
  });

  test("stores everything readable by the user alone", async () => {
    await using server = await startWeb();
    await server.pair();
    server.codes.create();

    for (const name of ["devices", "codes"]) {
      const folder = join(server.store, name);
      expect(statSync(folder).mode & 0o077).toBe(0);
      for (const file of readdirSync(folder)) {
        expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
      }
    }
  });

  test("works once with a code", async () => {
    await using server = await startWeb();
    const code = server.codes.create();
    const statuses = await Promise.all([1, 2, 3].map(() => server.post({ code, name: "x" })));

    expect(statuses.map(({ status }) => status).toSorted()).toEqual([204, 403, 403]);
    expect(server.devices.list()).toHaveLength(1);
  });

  test("accepts a code for ten minutes, typed in small letters too", async () => {
    const store = mkdtempSync(join(tmpdir(), "quire-codes-"));
    let now = Date.now();
    const codes = new PairingCodes(store, () => now);
    const [first, second] = [codes.create(), codes.create()];
    now += 9.5 * 60_000;

    expect(codes.redeem(` ${first.toLowerCase()} `)).toBe("accepted");
    now += 60_000;
    expect(codes.redeem(second)).toBe("wrong");
    await rm(store, { recursive: true });
  });

  test("ends after 20 wrong codes, until the user creates another one", async () => {
    await using server = await startWeb();
    const code = server.codes.create();
    for (let count = 0; count < 20; count++) {
      expect((await server.post({ code: `WRONG${count}`, name: "x" })).status).toBe(403);
    }

    expect((await server.post({ code, name: "x" })).status).toBe(429);
    expect((await server.post({ code: "WRONG", name: "x" })).status).toBe(429);
    expect((await server.post({ code: server.codes.create(), name: "x" })).status).toBe(204);
  });

  test("counts wrong codes from the newest code on", async () => {
    await using server = await startWeb();
    const guess = async (times: number) => {
      for (let count = 0; count < times; count++) {
        expect((await server.post({ code: `WRONG${count}`, name: "x" })).status).toBe(403);
      }
    };
    server.codes.create();
    await guess(15);
    const code = server.codes.create();
    await guess(19);

    expect((await server.post({ code, name: "x" })).status).toBe(204);
  });

  test.each([
    ["a page of another site", { origin: "https://evil.example" }, 403],
    ["a page of another port", { origin: "http://127.0.0.1:3000" }, 403],
    ["a page without a site", { origin: "null" }, 403],
    ["a page that hides its origin", { "sec-fetch-site": "cross-site" }, 403],
    ["a form", { "content-type": "application/x-www-form-urlencoded" }, 415],
    ["a page that sends text", { "content-type": "text/plain" }, 415],
  ])("refuses %s and uses nothing up", async (_, headers, expected) => {
    await using server = await startWeb();
    const code = server.codes.create();
    for (let count = 0; count < 25; count++) {
      expect((await server.post({ code, name: "x" }, headers)).status).toBe(expected);
    }

    expect((await server.post({ code, name: "x" })).status).toBe(204);
  });

  test.each([
    ["no JSON", "code"],
    ["null", "null"],
    ["a code that is no text", '{"code":1,"name":"x"}'],
    ["a name that is no text", '{"code":"x","name":{}}'],
    ["too much", JSON.stringify({ code: "x", name: "x".repeat(5000) })],
  ])("answers %s with 400", async (_, body) => {
    await using server = await startWeb();

    expect((await server.send({ path: "/pair", method: "POST", body })).status).toBe(400);
  });
});

describe("connections", () => {
  test("need a paired device", async () => {
    await using server = await startWeb();
    const cookie = await server.pair();
    const [name, secret = ""] = cookie.split("=");
    const status = (headers: Record<string, string>) =>
      websocketStatus(`${server.page}/ws`, headers);

    expect(await status({})).toBe(401);
    expect(await status({ cookie: `${name}=${"A".repeat(43)}` })).toBe(401);
    expect(await status({ cookie: `${name}=` })).toBe(401);
    expect(await status({ cookie: `other=${secret}` })).toBe(401);
    expect(await websocketStatus(`${server.page}/ws?token=${secret}`)).toBe(401);
    expect(await status({ cookie: `a=b; ${cookie}` })).toBe(101);
    expect(await status({ authorization: `Bearer ${secret}` })).toBe(101);
    expect((await server.send({ path: "/ws" })).status).toBe(401);
  });

  test.each(["https://evil.example", "null", "http://localhost:1", "https://127.0.0.1"])(
    "of pages of %s are refused, paired or not",
    async (origin) => {
      await using server = await startWeb();
      const cookie = await server.pair();

      expect(await websocketStatus(`${server.page}/ws`, { origin })).toBe(403);
      expect(await websocketStatus(`${server.page}/ws`, { origin, cookie })).toBe(403);
    },
  );

  test("of the own page and of programs by a token are accepted", async () => {
    await using server = await startWeb();
    const cookie = await server.pair();
    const origin = server.page;

    expect(await websocketStatus(`${server.page}/ws`, { origin, cookie })).toBe(101);
    const channel = await connect(server.url, { token: cookie.split("=")[1] ?? "" });
    await channel.close();
  });

  test("of a revoked device are closed at once, and it cannot connect again", async () => {
    await using server = await startWeb();
    const [cookie, other] = [await server.pair(), await server.pair()];
    const [socket, kept] = [await server.open(cookie), await server.open(other)];
    const closed = once(socket, "close");
    const id = idOf(server, cookie);

    // As `quire web devices revoke` does in another process.
    expect(new Devices(server.store).revoke(id)).toBe(true);

    await closed;
    expect(await websocketStatus(`${server.page}/ws`, { cookie })).toBe(401);
    expect(kept.readyState).toBe(WebSocket.OPEN);
    expect(new Devices(server.store).revoke(id)).toBe(false);
  });
});

test("a page that other machines can reach needs TLS or an explicit choice", async () => {
  const web = { files: tmpdir(), store: tmpdir() };

  await expect(listen("ws://0.0.0.0:0", { web, onConnection() {} })).rejects.toThrow(/use TLS/);
  await expect(listen("tcp://127.0.0.1:0", { web, onConnection() {} })).rejects.toThrow(/ws:/);
});

test("the metrics are for paired devices, and health is for all", async () => {
  await using server = await startWeb();
  const [, secret = ""] = (await server.pair()).split("=");
  const get = async (path: string, authorization = "") =>
    (await fetch(`${server.page}${path}`, { headers: { authorization } })).status;

  expect(await get("/metrics", `Bearer ${secret}`)).toBe(200);
  expect(await get("/metrics", "Bearer wrong")).toBe(401);
  expect(await get("/metrics")).toBe(401);
  expect(await get("/healthz")).toBe(200);
  expect(await get("/readyz")).toBe(200);
});

/** A web listener with a small page. */
async function startWeb(options: { allowHosts?: string[] } = {}) {
  const root = mkdtempSync(join(tmpdir(), "quire-web-"));
  const [files, store] = [join(root, "files"), join(root, "store")];
  mkdirSync(files);
  writeFileSync(join(root, "secret"), "secret");
  writeFileSync(join(files, "index.html"), "<!doctype html>");
  writeFileSync(join(files, "main-ABCD1234.js"), "page()");
  const listener = await listen("ws://127.0.0.1:0", {
    ...options,
    web: { files, store },
    metrics: async () => "up 1\n",
    onConnection() {},
  });
  const page = listener.url.replace("ws:", "http:");
  const send = (sent: Sent) => sendTo(page, sent);
  const codes = new PairingCodes(store);
  const post = (body: unknown, headers: Record<string, string> = {}) =>
    send({ path: "/pair", method: "POST", body: JSON.stringify(body), headers });
  const sockets: WebSocket[] = [];
  return {
    url: listener.url,
    page,
    port: new URL(page).port,
    store,
    codes,
    devices: new Devices(store),
    send,
    post,
    async pair(): Promise<string> {
      const answer = await post({ code: codes.create(), name: "test" });
      return String(answer.headers["set-cookie"]).split(";")[0] ?? "";
    },
    async open(cookie: string): Promise<WebSocket> {
      const socket = new WebSocket(`${listener.url}/ws`, { headers: { cookie } });
      sockets.push(socket);
      await once(socket, "open");
      return socket;
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.terminate();
      await listener.close();
      await rm(root, { recursive: true, force: true });
    },
  };
}

interface Sent {
  path: string;
  method?: string;
  body?: string;
  headers?: Record<string, string>;
}

async function sendTo(page: string, { path, method = "GET", body, headers = {} }: Sent) {
  const { hostname, port } = new URL(page);
  const json = body === undefined ? {} : { "content-type": "application/json" };
  const asking = request({ hostname, port, path, method, headers: { ...json, ...headers } });
  asking.end(body);
  const [answer] = await once(asking, "response");
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  return { status: answer.statusCode as number, headers: answer.headers, bytes, body: `${bytes}` };
}

function idOf({ devices }: { devices: Devices }, cookie: string): string {
  return devices.find(cookie.split("=")[1] ?? "") ?? "";
}

/** All that is stored, as one text. */
function stored(folder: string): string {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true });
  return files
    .filter((file) => file.isFile())
    .map(({ parentPath, name }) => `${name} ${readFileSync(join(parentPath, name), "utf8")}`)
    .join("\n");
}
