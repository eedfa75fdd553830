import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Codex, type CodexOptions } from "../../src/index.js";
import { listenScriptedModel, type ScriptedServer } from "../../src/model/scripted/index.js";
import { stdioServer } from "../support/mcp.js";
import { hangs, says } from "../support/model.js";

let home: string;
let model: ScriptedServer;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "quire-close-"));
  model = await listenScriptedModel({ script: { answers: [says("hi")], after: "repeat" } });
});

afterEach(async () => {
  await model.close();
  await rm(home, { recursive: true, force: true });
});

function createCodex(options: CodexOptions = {}): Codex {
  return new Codex({
    env: { PATH: process.env.PATH, HOME: home, CODEX_HOME: home },
    workingDirectory: home,
    baseUrl: model.baseUrl,
    apiKey: "k",
    ...options,
  });
}

/** An MCP server that notes the id of its process in a file. */
async function notedServer() {
  const { transport } = await stdioServer("good");
  if (transport.type !== "stdio") throw new Error("Not a program");
  const { command, args = [] } = transport;
  const script = `echo $$ >> ${join(home, "pids")}; exec "$0" "$@"`;
  return { command: "sh", args: ["-c", script, command, ...args] };
}

const pids = async () =>
  (await readFile(join(home, "pids"), "utf8")).trim().split("\n").map(Number);

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

test("[embedding B2] threads started together share one engine, which close() ends", async () => {
  const codex = createCodex({ config: { mcp_servers: { noted: await notedServer() } } });
  const threads = Array.from({ length: 4 }, (_, index) =>
    codex.startThread({ ephemeral: index % 2 === 0 }),
  );

  await Promise.all(threads.map((thread) => thread.run("first")));
  const second = await Promise.all(threads.map((thread) => thread.run("second")));
  const started = await pids();
  await codex.close();

  expect(second.map(({ finalResponse }) => finalResponse)).toEqual(["hi", "hi", "hi", "hi"]);
  expect(started).toHaveLength(1);
  expect(started.filter(isAlive)).toEqual([]);
  expect(await readdir(join(home, "quire-locks")).catch(() => [])).toEqual([]);
});

test("[embedding B2] close() ends an engine that is still starting", async () => {
  const codex = createCodex({ config: { mcp_servers: { noted: await notedServer() } } });
  const running = Promise.allSettled([1, 2, 3].map(() => codex.startThread().run("hi")));
  await codex.close();

  const outcomes = await running;

  for (const outcome of outcomes) {
    expect(outcome).toMatchObject({
      status: "rejected",
      reason: { name: "CodexError", code: "closed" },
    });
  }
  const started = await pids().catch(() => []);
  expect(started.filter(isAlive)).toEqual([]);
  await expect(codex.startThread().run("again")).rejects.toMatchObject({ code: "closed" });
});

test("[embedding B2] close() does not wait for a server that does not reply", async () => {
  const sockets: Socket[] = [];
  const silent = createServer((socket) => sockets.push(socket));
  const path = join(home, "silent.sock");
  await new Promise<void>((resolve) => silent.listen(path, resolve));
  const codex = new Codex({ url: `unix://${path}` });
  const run = codex.startThread().run("hi");
  const failed = expect(run).rejects.toMatchObject({ code: "closed" });
  await vi.waitUntil(() => sockets.length > 0, { timeout: 20_000 });

  await codex.close();

  await failed;
  for (const socket of sockets) socket.destroy();
  await new Promise((resolve) => silent.close(resolve));
});

test("[embedding B2] close() rejects a running turn", async () => {
  await model.close();
  model = await listenScriptedModel({ script: [hangs()] });
  const codex = createCodex();
  const { events } = await codex.startThread().runStreamed("hi");
  const reading = (async () => {
    for await (const event of events) if (event.type === "turn.started") void codex.close();
  })();

  await expect(reading).rejects.toMatchObject({ name: "CodexError", code: "closed" });
});

test("[embedding B2] a lost server is connected to again, once for all threads", async () => {
  const codex = new Codex({ url: "unix:///nowhere/quire.sock" });

  const outcomes = await Promise.allSettled([1, 2].map(() => codex.startThread().run("hi")));

  for (const outcome of outcomes) {
    expect(outcome).toMatchObject({
      status: "rejected",
      reason: { name: "CodexError", code: "connection", cause: { name: "TransportError" } },
    });
  }
  await codex.close();
});

test("[embedding B2] many turns at once warn of nothing", async () => {
  const warnings: string[] = [];
  const onWarning = ({ message }: Error) => warnings.push(message);
  process.on("warning", onWarning);
  await using codex = createCodex({ ephemeral: true });

  await Promise.all(Array.from({ length: 20 }, () => codex.startThread().run("hi")));

  process.off("warning", onWarning);
  expect(warnings).toEqual([]);
});
