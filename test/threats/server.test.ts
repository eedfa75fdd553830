import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { type IncomingHttpHeaders, request } from "node:http";
import { connect as connectHttp2 } from "node:http2";
import { connect as connectNet, type Socket } from "node:net";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  listenScriptedModel,
  type Script,
  type ScriptedServer,
} from "../../src/model/scripted/index.js";
import { createUser } from "../cli/support/run-quire.js";
import { says } from "../support/model.js";
import { websocketStatus } from "../support/websocket-status.js";
import { type Listening, places, ports, startListening, surfaces } from "./support/listening.js";

const token = "a-token-that-nobody-guesses";
const clientInfo = { name: "t", title: "T", version: "1" };

/** Returns true if a well-behaved client is served. */
async function serves(server: Listening, given?: string): Promise<boolean> {
  const wire = await server
    .join(given === undefined ? {} : { token: given })
    .catch(() => undefined);
  if (wire === undefined) return false;
  const answer = await wire.ask("hello", "initialize", { clientInfo }).catch(() => ({}));
  if (server.url !== "stdio://") wire.channel.destroy();
  return "result" in answer;
}

test.each(surfaces)(
  "SRV-07: %s refuses to serve other machines without a token",
  async (surface) => {
    using user = createUser();
    const hosts = surface === "app-server" ? ["0.0.0.0", "[::]", "192.0.2.1"] : ["0.0.0.0"];
    const urls = ports.flatMap((port) => hosts.map((host) => `${port}://${host}:0`));

    const ran = await Promise.all(urls.map((url) => user.run([surface, "--listen", url])));

    expect(ran.map(({ code }) => code)).toEqual(urls.map(() => 2));
    for (const { stderr } of ran) expect(stderr).toContain("set a token, or listen on 127.0.0.1");
  },
);

describe.each(ports)("a listener for %s", (port) => {
  test("SRV-01, SRV-08: serves programs of this machine, on loopback only", async () => {
    await using server = await startListening("app-server", port);

    expect(await serves(server)).toBe(true);
    expect(boundAddresses(server.url)).toEqual(["127.0.0.1"]);
  });

  test("SRV-09: keeps serving while other clients send too much, too slowly or nothing", async () => {
    await using server = await startListening("app-server", port);
    const sockets = await Promise.all(Array.from({ length: 200 }, () => plain(server.url)));
    const halfOpen = [
      "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n",
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
      "{",
    ];
    for (const [index, socket] of sockets.slice(0, sockets.length / 3).entries()) {
      socket.write(halfOpen[index % halfOpen.length] ?? "");
    }
    const flood = await plain(server.url);
    flood.write(`GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Long: ${"x".repeat(1_000_000)}\r\n\r\n`);

    expect(await serves(server)).toBe(true);
    expect(server.peakMemory()).toBeLessThan(300e6);
    for (const socket of [...sockets, flood]) socket.destroy();
    expect(await serves(server)).toBe(true);
  });

  test("SRV-06: a request that a web page can post has no effect", async () => {
    await using server = await startListening("app-server", port);
    const file = join(server.workspace, "made");
    const body = [
      { id: 1, method: "initialize", params: { clientInfo } },
      { id: 2, method: "execOneOffCommand", params: { command: ["touch", file] } },
    ];
    const text = body.map((one) => `${JSON.stringify(one)}\n`).join("");

    for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"]) {
      for (const path of ["/", "/rpc", "/quire.v1.Quire/Open"]) {
        const answer = await post(server.url, { path, type, text });
        expect(answer?.status ?? 403).toBeGreaterThanOrEqual(400);
        expect(answer?.headers["access-control-allow-origin"]).toBe(undefined);
      }
    }
    const asked = await post(server.url, { method: "OPTIONS", path: "/", type: "", text: "" });
    expect(asked?.headers["access-control-allow-origin"]).toBe(undefined);

    expect(await serves(server)).toBe(true);
    expect(existsSync(file)).toBe(false);
  });
});

describe("a listener for WebSockets", () => {
  test("SRV-02: refuses web pages with any headers", async () => {
    await using server = await startListening("app-server", "ws");
    const own = new URL(server.url).host;

    expect(await websocketStatus(server.url)).toBe(101);
    const origins = [
      "https://evil.example",
      "null",
      "file://",
      `http://${own}`,
      "http://localhost",
    ];
    for (const origin of origins) {
      expect([origin, await websocketStatus(server.url, { origin })]).toEqual([origin, 403]);
    }
  });

  test("SRV-02: refuses host names rebound to this machine", async () => {
    await using server = await startListening("app-server", "ws");

    for (const host of ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example:80"]) {
      expect([host, await websocketStatus(server.url, { host })]).toEqual([host, 403]);
    }
  });

  test("SRV-11: accepts the token in the header only", async () => {
    await using server = await startListening("app-server", "ws", tokenFile());
    const authorizations = [
      undefined,
      "",
      "Bearer",
      "Bearer ",
      "Bearer x",
      `Bearer ${token}x`,
      `Bearer ${token.slice(0, -1)}`,
      `Bearer ${"x".repeat(token.length)}`,
      `Basic ${Buffer.from(token).toString("base64")}`,
      token,
    ];

    for (const authorization of authorizations) {
      const headers = authorization === undefined ? {} : { authorization };
      expect([authorization, await websocketStatus(server.url, headers)]).toEqual([
        authorization,
        401,
      ]);
    }
    expect(await websocketStatus(`${server.url}/?token=${token}`)).toBe(401);
    const good = { authorization: `Bearer ${token}` };
    expect(await websocketStatus(server.url, good)).toBe(101);
    expect(server.stderr()).not.toContain(token.slice(0, 12));
  });
});

describe("a listener for HTTP/2", () => {
  test("SRV-02, SRV-11: refuses web pages and clients without the token", async () => {
    await using server = await startListening("app-server", "h2", tokenFile());
    const authorization = `Bearer ${token}`;

    expect(await http2Status(server.url, { authorization, origin: "https://evil.example" })).toBe(
      403,
    );
    expect(await http2Status(server.url, { authorization, ":authority": "evil.example" })).toBe(
      403,
    );
    expect(await http2Status(server.url, {})).toBe(401);
    expect(await http2Status(server.url, { authorization: "Bearer wrong" })).toBe(401);
    expect(await serves(server, token)).toBe(true);
  });
});

describe.each(places.filter((place) => place !== "stdio"))("a token over %s", (place) => {
  test("SRV-11: admits only clients with the token, and never logs it", async () => {
    await using server = await startListening("app-server", place, tokenFile());

    for (const given of [undefined, "x", `${token}x`, token.slice(1), "x".repeat(token.length)]) {
      expect([given, await serves(server, given)]).toEqual([given, false]);
    }
    expect(await serves(server, token)).toBe(true);
    expect(server.stderr()).not.toContain(token);
    expect(readFileSync(`/proc/${server.pid}/cmdline`, "utf8")).not.toContain(token);
  });
});

test.each(places)(
  "SRV-15: a command over %s without a policy runs under the default one",
  async (place) => {
    await using server = await startListening("app-server", place, {
      settings:
        "sandbox_workspace_write = { exclude_slash_tmp = true, exclude_tmpdir_env_var = true }",
      args: ["-c", "sandbox_mode=workspace-write"],
    });
    const wire = await server.join();
    await wire.ask("hello", "initialize", { clientInfo });
    const run = (file: string) =>
      wire.ask(file, "execOneOffCommand", { command: ["touch", file], cwd: server.workspace });
    const [inside, outside] = [join(server.workspace, "in"), join(server.root, "out")];

    const answers = await Promise.all([run(inside), run(outside)]);

    expect(answers.map(({ result }) => (result as { exitCode: number }).exitCode === 0)).toEqual([
      true,
      false,
    ]);
    expect([existsSync(inside), existsSync(outside)]).toEqual([true, false]);
  },
);

test("SRV-14: a prompt that looks like options is a prompt after --", async () => {
  using user = createUser();
  await using model = await startModel([says("Done.")]);
  writeFileSync(
    join(user.home, "config.toml"),
    `model_provider = "mock"\n[model_providers.mock]\nname = "mock"\nbase_url = "${model.baseUrl}"\n`,
  );
  const prompt = "--config=sandbox_mode=danger-full-access";

  const ran = await user.run(["exec", "--skip-git-repo-check", "--", prompt]);
  const typed = await user.run(["exec", "--skip-git-repo-check", "--no-such-option"]);

  expect(ran).toMatchObject({ code: 0, stdout: "Done.\n" });
  expect(JSON.stringify(model.requests[0]?.body)).toContain(prompt);
  expect(typed).toMatchObject({ code: 2, stdout: "" });
});

async function startModel(script: Script): Promise<ScriptedServer & AsyncDisposable> {
  const server = await listenScriptedModel({ script });
  return Object.assign(server, { [Symbol.asyncDispose]: () => server.close() });
}

function tokenFile(): { args: string[]; furnish(root: string): void } {
  return {
    args: ["--token-file", "../token"],
    furnish: (root) => writeFileSync(join(root, "token"), `${token}\n`, { mode: 0o600 }),
  };
}

/** Returns the addresses on which the system accepts connections for a port. */
function boundAddresses(url: string): string[] {
  const port = Number(new URL(url).port).toString(16).toUpperCase().padStart(4, "0");
  return ["tcp", "tcp6"].flatMap((table) =>
    readFileSync(`/proc/net/${table}`, "utf8")
      .split("\n")
      .map((line) => line.trim().split(/\s+/))
      .filter(([, local, , state]) => local?.endsWith(`:${port}`) && state === "0A")
      .map(([, local = ""]) => addressText(local)),
  );
}

function addressText(local: string): string {
  const hex = local.split(":")[0] ?? "";
  if (hex.length !== 8) return hex;
  return [6, 4, 2, 0].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)).join(".");
}

function plain(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  return new Promise((done, failed) => {
    const socket = connectNet(Number(port), hostname, () => done(socket));
    socket.on("error", failed).resume();
  });
}

interface Posted {
  method?: string;
  path: string;
  type: string;
  text: string;
}

/** Posts as a web page would; undefined if the connection is cut without a response. */
function post(url: string, { method = "POST", path, type, text }: Posted) {
  const { hostname, port } = new URL(url);
  return new Promise<{ status: number; headers: IncomingHttpHeaders } | undefined>((done) => {
    const headers = { "content-type": type, origin: "https://evil.example" };
    const asking = request({ hostname, port, method, path, headers }, (answer) => {
      answer.resume();
      done({ status: answer.statusCode ?? 0, headers: answer.headers });
    });
    asking.once("error", () => done(undefined)).end(text);
  });
}

function http2Status(url: string, headers: Record<string, string>): Promise<number | undefined> {
  const session = connectHttp2(url.replace(/^h2/, "http"));
  return new Promise<number | undefined>((done, failed) => {
    session.once("error", failed);
    const stream = session.request({ ":method": "POST", ":path": "/", ...headers });
    stream.once("response", (answer) => done(answer[":status"]));
    stream.once("error", failed).end();
  }).finally(() => session.destroy());
}
