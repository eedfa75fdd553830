import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { compare } from "../../../conformance/compare/compare.js";
import { replay } from "../../../conformance/replay/replay.js";
import { parseTrace } from "../../../conformance/trace/parse-trace.js";
import { connectAppServer } from "../../../src/client/index.js";
import {
  listenScriptedModel,
  type ScriptedServer,
  scriptedConfig,
} from "../../../src/model/scripted/index.js";
import { quireCommand } from "../../support/bin.js";
import { runPiped } from "../support/inspect-client.js";
import { createUser, type TestUser } from "../support/run-quire.js";
import { spawnQuire } from "../support/spawn-quire.js";

let model: ScriptedServer;
beforeAll(async () => {
  model = await listenScriptedModel({
    script: Array.from({ length: 8 }, () => [{ message: "Hello." }]),
  });
});
afterAll(() => model.close());

const appServer = quireCommand(["app-server"]).flat();

function createPerson(): TestUser {
  const user = createUser();
  writeFileSync(
    join(user.home, "config.toml"),
    scriptedConfig({ baseUrl: model.baseUrl, retries: 0 }),
  );
  return user;
}

const lines = (...messages: object[]) => messages.map((one) => `${JSON.stringify(one)}\n`).join("");
const hello = [
  { id: 0, method: "initialize", params: { clientInfo: { name: "t", version: "1" } } },
  { method: "initialized" },
];

test("a recorded conversation replays on the same server", async () => {
  using user = createPerson();
  const input = lines(
    ...hello,
    { id: 1, method: "thread/start", params: {} },
    { id: 2, method: "thread/list", params: { cursor: null } },
    { id: 3, method: "no/such" },
    { id: 4, method: "account/read", params: {} },
  );
  const [file, args] = quireCommand(["inspect", "--record", "trace.jsonl", "--", ...appServer]);

  const ran = await runPiped(user, [file, ...args], input);

  expect(ran.code).toBe(0);
  const text = readFileSync(join(user.project, "trace.jsonl"), "utf8");
  expect(text).not.toContain(user.home);
  const trace = parseTrace(text, { group: "recorded", name: "trace", strictness: "order" });
  expect(trace.meta).toMatchObject({ command: ["codex", "app-server"], version: "0.166.0" });
  const program = quireCommand([]).flat();
  // The kit asks for the era of the recording, and this server was asked for none.
  const observed = await replay(trace, {
    program: ["env", "QUIRE_ERA=current", ...program],
    timeoutMs: 20_000,
  });
  expect(compare(trace, observed)).toEqual({ events: [], requests: [] });
});

test("--translate-to shows a client the server in an older version", async () => {
  using user = createPerson();
  const input = lines(...hello, { id: 1, method: "thread/start", params: {} });
  const [file, args] = quireCommand([
    "inspect",
    "--translate-to",
    "0.104",
    "-o",
    "t",
    "--",
    ...appServer,
  ]);

  const older = await runPiped(user, appServer, input, { QUIRE_ERA: "0.104" });
  const translated = await runPiped(user, [file, ...args], input);

  expect(translated.code).toBe(0);
  const shapeOf = (text: string) =>
    text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line))
      .filter(({ id }) => id !== undefined)
      .map(({ id, result }) => [
        id,
        Object.keys(result).sort(),
        Object.keys(result.thread ?? {}).sort(),
      ]);
  expect(shapeOf(String(translated.stdout))).toEqual(shapeOf(String(older.stdout)));
  expect(String(translated.stdout)).toContain('"userAgent":"t/0.104.0 (');
  expect(String(translated.stdout)).not.toContain("emittedAtMs");
  expect(readFileSync(join(user.project, "t"), "utf8")).toContain("· translated to era 0.104");
  expect(translated.stderr).toContain("0 invalid");
});

test("with --listen each client gets its server, at an address or as a process", async () => {
  using user = createPerson();
  await using server = spawnQuire(user, ["app-server", "--listen", "ws://127.0.0.1:0"]);
  const [, url = ""] = await server.untilError(/listening on (\S+)\n/);
  await using process = spawnQuire(user, [
    "inspect",
    "--listen",
    "ws://127.0.0.1:0",
    "--",
    ...appServer,
  ]);
  await using remote = spawnQuire(user, ["inspect", "--listen", "tcp://127.0.0.1:0", url]);

  for (const inspector of [process, remote]) {
    const [, address = ""] = await inspector.untilError(/listening on (\S+)\n/);
    const clients = await Promise.all([1, 2].map(() => connect(address)));
    await Promise.all(clients.map(takeTurn));
    await Promise.all(clients.map((client) => client.close()));
    await inspector.untilError(
      /client 2 disconnected[\s\S]*|disconnected[\s\S]*client 1 disconnected/,
    );
    inspector.child.kill("SIGTERM");
    await inspector.exit;
    expect(inspector.stderr()).toMatch(/#2 ← turn\/completed/);
    expect(inspector.stderr()).toMatch(/ 0 invalid/);
  }
});

function connect(address: string) {
  return connectAppServer(address, { clientInfo: { name: "t", version: "1" } });
}

async function takeTurn(client: Awaited<ReturnType<typeof connect>>): Promise<void> {
  const { thread } = await client.request("thread/start", {});
  const completed = new Promise<void>((resolve) => {
    client.onNotification(({ method, params }) => {
      if (method === "turn/completed" && params.threadId === thread.id) resolve();
    });
  });
  const input = [{ type: "text" as const, text: "Hi", text_elements: [] }];
  await client.request("turn/start", { threadId: thread.id, input });
  await completed;
}
