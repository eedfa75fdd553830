import { type ChildProcess, fork } from "node:child_process";
import { createHash, createHmac } from "node:crypto";
import { once } from "node:events";
import { readlinkSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { connectAppServer } from "../../../src/client/index.js";
import { createDeferred } from "../../../src/lib/async.js";
import {
  type Channel,
  type ConnectOptions,
  connect,
  ipcChannel,
} from "../../../src/transport/index.js";
import { createCertificate } from "../../../src/transport/web/certificate.js";
import { bubblewrapWorks } from "../../sandbox/support/confined.js";
import { websocketStatus } from "../../support/websocket-status.js";
import { createUser, type TestUser } from "../support/run-quire.js";
import { type Running, spawnQuire } from "../support/spawn-quire.js";

const places = ["unix", "ws+unix", "tcp", "ws", "http", "h2", "grpc"] as const;
const token = "a-token-that-nobody-guesses";

function addressOf(place: (typeof places)[number], user: TestUser): string {
  return place.endsWith("unix") ? `${place}://${join(user.home, "s")}` : `${place}://127.0.0.1:0`;
}

function writeToken(user: TestUser, text = token, mode = 0o600): string {
  const file = join(user.home, "token");
  writeFileSync(file, text, { mode });
  return file;
}

function forkQuire({ home, project }: TestUser, args: string[]): ChildProcess {
  const program = join(import.meta.dirname, "../../../bin/quire.js");
  const env = { PATH: process.env.PATH, HOME: home, CODEX_HOME: home };
  return fork(program, args, { cwd: project, env, stdio: ["ignore", "pipe", "pipe", "ipc"] });
}

async function urlOf(server: Running): Promise<string> {
  const [, url = ""] = await server.untilError(/listening on (\S+)\n/);
  return url;
}

/** Says the first thing and returns the answer. */
async function greet(url: string, options: ConnectOptions = {}): Promise<unknown> {
  const channel = await connect(url, options);
  const params = { clientInfo: { name: "t", title: "T", version: "1" } };
  channel.send({ id: 1, method: "initialize", params });
  try {
    return await firstOf(channel);
  } finally {
    await channel.close();
  }
}

async function firstOf(channel: Channel): Promise<unknown> {
  for await (const message of channel.incoming) return message;
  throw new Error("closed without a word");
}

/** Sends the first request of a client and resolves with the answer. */
async function isLetIn(url: string, options: ConnectOptions = {}): Promise<boolean> {
  const answer = await greet(url, options).catch(() => undefined);
  return typeof answer === "object" && answer !== null && "result" in answer;
}

const welcome = { id: 1, result: { userAgent: expect.any(String) } };

describe.each(places)("quire app-server --listen %s", (place) => {
  test("serves several clients, and ends by a signal", async () => {
    using user = createUser();
    await using server = spawnQuire(user, ["app-server", "--listen", addressOf(place, user)]);
    const url = await urlOf(server);

    expect(await Promise.all([greet(url), greet(url)])).toMatchObject([welcome, welcome]);
    server.child.kill("SIGTERM");

    expect(await server.exit).toBe(0);
  });

  test("accepts only clients with the token", async () => {
    using user = createUser();
    const file = writeToken(user);
    const args = ["app-server", "--listen", addressOf(place, user), "--token-file", file];
    await using server = spawnQuire(user, args);
    const url = await urlOf(server);

    expect(await greet(url, { token })).toMatchObject(welcome);
    for (const wrong of [{}, { token: "x" }, { token: `${token}x` }]) {
      expect(await isLetIn(url, wrong)).toBe(false);
    }
    expect(await greet(url, { token })).toMatchObject(welcome);
    expect(server.stderr() + server.stdout()).not.toContain(token);
  });

  test("gives each client of the queues an engine of its own", async () => {
    using user = createUser();
    writeFileSync(join(user.home, "config.toml"), 'model = "m"\nmodel_provider = "ollama"\n');
    await using server = spawnQuire(user, ["proto", "--listen", addressOf(place, user)]);
    const url = await urlOf(server);
    const [one, two] = await Promise.all([connect(url), connect(url)]);

    const [first, second] = (await Promise.all([firstOf(one), firstOf(two)])) as {
      msg: { type: string; session_id: string };
    }[];
    one.send({ id: "s", op: { type: "shutdown" } });
    for await (const _ of one.incoming);

    expect([first?.msg.type, second?.msg.type]).toEqual([
      "session_configured",
      "session_configured",
    ]);
    expect(first?.msg.session_id).not.toBe(second?.msg.session_id);
    server.child.kill("SIGTERM");
    expect(await server.exit).toBe(0);
    await two.close();
  });
});

describe("[documents 6] a server that was forked", () => {
  test.each(["app-server", "mcp-server", "proto"])(
    "%s serves its parent and ends with it",
    async (verb) => {
      using user = createUser();
      writeFileSync(join(user.home, "config.toml"), 'model = "m"\nmodel_provider = "ollama"\n');
      const child = forkQuire(user, [verb, "--listen", "ipc://"]);
      const channel = ipcChannel(child);
      const written: Buffer[] = [];
      child.stdout?.on("data", (chunk) => written.push(chunk));
      child.stderr?.on("data", (chunk) => written.push(chunk));

      const params = { clientInfo: { name: "t", title: "T", version: "1" } };
      if (verb !== "proto") channel.send({ id: 1, method: "initialize", params });
      const first = await firstOf(channel);
      await channel.close();
      const [code] = await once(child, "exit");

      const configured = { msg: { type: "session_configured" } };
      expect(first).toMatchObject(verb === "proto" ? configured : { id: 1, result: {} });
      expect([code, Buffer.concat(written).toString()]).toEqual([0, ""]);
    },
  );

  test("keeps the channel from the commands it runs", async () => {
    using user = createUser();
    writeFileSync(join(user.home, "config.toml"), 'sandbox_mode = "danger-full-access"\n');
    const child = forkQuire(user, ["app-server", "--listen", "ipc://"]);
    const client = await connectAppServer(ipcChannel(child));

    const { stdout } = await client.request("command/exec", {
      command: ["sh", "-c", "readlink /proc/self/fd/*; env"],
    });
    const ownEnd = readlinkSync(`/proc/${child.pid}/fd/3`);
    await client.close();

    expect(ownEnd).toMatch(/^socket:/);
    expect(stdout).toMatch(/^(pipe|socket):/m);
    expect(stdout).not.toContain(ownEnd);
    expect(stdout).not.toContain("NODE_CHANNEL");
  });
});

test("[documents D14] --legacy-events gives every client both families of events", async () => {
  using user = createUser();
  writeFileSync(join(user.home, "config.toml"), 'model = "m"\nmodel_provider = "ollama"\n');
  const child = forkQuire(user, ["app-server", "--legacy-events", "--listen", "ipc://"]);
  const heard = new Set<string>();
  const told = createDeferred<void>();
  const client = await connectAppServer(ipcChannel(child), {
    onNotification({ method }) {
      heard.add(method);
      if (heard.has("turn/started") && heard.has("codex/event/task_started")) told.resolve();
    },
  });

  const { thread } = await client.request("thread/start", {});
  const input = [{ type: "text" as const, text: "hi" }];
  await client.request("turn/start", { threadId: thread.id, input });
  await told.promise;
  await client.close();

  expect([...heard]).toContain("codex/event/task_started");
});

describe("a server that listens", () => {
  test.each(["tcp", "ws", "http", "h2", "grpc"])(
    "speaks TLS over %s with a certificate",
    async (place) => {
      using user = createUser();
      const { cert, key } = createCertificate();
      writeFileSync(join(user.home, "cert.pem"), cert);
      writeFileSync(join(user.home, "key.pem"), key);
      const listen = ["mcp-server", "--listen", `${place}://127.0.0.1:0`];
      const tls = ["--tls-cert", "../home/cert.pem", "--tls-key", "../home/key.pem"];
      await using server = spawnQuire(user, [...listen, ...tls]);
      const url = await urlOf(server);

      expect(url).toMatch(/^(tls|wss|https|h2s|grpcs):/);
      expect(await greet(url, { tls: { ca: cert } })).toMatchObject({ id: 1 });
    },
  );

  test("takes signed tokens of its issuer, for its audience", async () => {
    using user = createUser();
    const secret = "s".repeat(40);
    const file = writeToken(user, secret);
    const rule = ["--jwt-secret-file", file, "--jwt-issuer", "me", "--jwt-audience", "quire"];
    const listen = ["app-server", "--listen", "ws://127.0.0.1:0"];
    await using server = spawnQuire(user, [...listen, ...rule]);
    const url = await urlOf(server);
    const exp = Math.floor(Date.now() / 1000) + 60;
    const good = { iss: "me", aud: "quire", exp };

    expect(await greet(url, { token: sign(good, secret) })).toMatchObject(welcome);
    for (const claims of [
      { ...good, iss: "you" },
      { ...good, aud: "x" },
      { ...good, exp: 1 },
    ]) {
      expect(await isLetIn(url, { token: sign(claims, secret) })).toBe(false);
    }
    expect(await isLetIn(url, { token: sign(good, "other".repeat(10)) })).toBe(false);
  });

  test("takes a token by its digest, also by the names of the reference's options", async () => {
    using user = createUser();
    const digest = createHash("sha256").update(token).digest("hex");
    const auth = ["--ws-auth", "capability-token", "--ws-token-sha256", digest];
    await using server = spawnQuire(user, ["app-server", "--listen", "ws://127.0.0.1:0", ...auth]);
    const url = await urlOf(server);

    expect(await greet(url, { token })).toMatchObject(welcome);
    expect(await isLetIn(url)).toBe(false);
  });

  test("lets pages in only from origins and by names that were given", async () => {
    using user = createUser();
    const allowed = ["--allow-origin", "https://ide.example", "--allow-host", "box.example"];
    const listen = ["app-server", "--listen", "ws://127.0.0.1:0"];
    await using server = spawnQuire(user, [...listen, ...allowed]);
    const url = await urlOf(server);

    expect(await websocketStatus(url, { origin: "https://ide.example" })).toBe(101);
    expect(await websocketStatus(url, { host: "box.example" })).toBe(101);
    expect(await websocketStatus(url, { origin: "https://evil.example" })).toBe(403);
    expect(await websocketStatus(url, { host: "evil.example" })).toBe(403);
  });

  test("waits in the home of the user at unix:// alone", async () => {
    using user = createUser();
    await using server = spawnQuire(user, ["app-server", "--listen", "unix://"]);
    const url = await urlOf(server);

    expect(url).toBe(`unix://${user.home}/app-server-control/app-server-control.sock`);
    expect(statSync(join(user.home, "app-server-control")).mode & 0o077).toBe(0);
    expect(await greet(url)).toMatchObject(welcome);
  });

  test("an address in use is an error with exit code 1", async () => {
    using user = createUser();
    await using server = spawnQuire(user, ["app-server", "--listen", "ws://127.0.0.1:0"]);
    const url = await urlOf(server);

    const ran = await user.run(["app-server", "--listen", url]);

    expect(ran).toMatchObject({ code: 1, stdout: "" });
    expect(ran.stderr).toMatch(/^quire: .*\n$/);
  });

  test.each([
    [["--listen", "ws://0.0.0.0:0"], "set a token"],
    [["--listen", "foo://x"], "Bad address"],
    [["--listen", "wss://127.0.0.1:0"], "needs a certificate"],
    [["--listen", "ws://127.0.0.1:0", "--tls-cert", "x"], "both --tls-cert and --tls-key"],
    [["--listen", "ws://127.0.0.1:0", "--token-file", "nowhere"], "Cannot read the token file"],
    [["--listen", "ws://127.0.0.1:0", "--token-file", "../home/token"], "make it 0600"],
    [["--listen", "ws://127.0.0.1:0", "--token-sha256", "abc"], "64 hexadecimal digits"],
    [["--listen", "ws://127.0.0.1:0", "--jwt-issuer", "me"], "require --jwt-secret-file"],
    [["--token-sha256", "abc"], "need --listen"],
    [["--listen", "ipc://", "--token-sha256", "abc"], "An IPC channel has a single client"],
    [["--listen", "ipc://"], "started this process with child_process.fork"],
  ])("%j does not start, and says why", async (args, words) => {
    using user = createUser();
    writeToken(user, token, 0o644);

    for (const verb of ["app-server", "mcp-server", "proto"]) {
      const ran = await user.run([verb, ...args]);

      expect([verb, ran.code, ran.stdout]).toEqual([verb, 2, ""]);
      expect(ran.stderr).toContain(words);
    }
  });
});

function sign(claims: object, secret: string): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const text = `${part({ alg: "HS256", typ: "JWT" })}.${part(claims)}`;
  return `${text}.${createHmac("sha256", secret).update(text).digest("base64url")}`;
}

test.runIf(bubblewrapWorks)(
  "[security H2] a confined command can read neither the token of the listener nor the sign-in",
  async () => {
    using user = createUser();
    const file = writeToken(user);
    writeFileSync(join(user.home, "auth.json"), '{"OPENAI_API_KEY":"hush-hush"}', { mode: 0o600 });
    const args = ["app-server", "--listen", "tcp://127.0.0.1:0", "--token-file", file];
    await using server = spawnQuire(user, args);
    const channel = await connect(await urlOf(server), { token });
    const params = { clientInfo: { name: "t", version: "1" } };
    channel.send({ id: 1, method: "initialize", params });
    const command = ["sh", "-c", `cat ${file}; cat ${join(user.home, "auth.json")}; echo end`];
    const sandboxPolicy = { type: "workspaceWrite", networkAccess: true };
    channel.send({ id: 2, method: "command/exec", params: { command, sandboxPolicy } });

    const replies: unknown[] = [];
    for await (const message of channel.incoming) {
      replies.push(message);
      if ((message as { id?: number }).id === 2) break;
    }

    expect(replies.at(-1)).toMatchObject({
      result: {
        stdout: "end\n",
        stderr: expect.stringMatching(/Permission denied[\s\S]*Permission denied/),
      },
    });
    await channel.close();
  },
);
