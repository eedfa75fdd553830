import { readdirSync, readFileSync } from "node:fs";
import { connect as connectNet } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { calls } from "../support/model.js";
import { places, type Surface, startListening, surfaces, type Wire } from "./support/listening.js";

const deep = (levels: number) => "[".repeat(levels) + "]".repeat(levels);

/** Messages that a client may send in place of a valid one, on any transport, by the id of the case. */
const texts: [string, string][] = [
  ["PRO-01: not JSON", "hello there"],
  ["PRO-02: cut", '{"id":"x","method":"getUserAg'],
  ["PRO-02: cut submission", '{"id":"x","op":{"type":"user_in'],
  ["PRO-03: blank", "   "],
  ["PRO-03: empty", ""],
  ["PRO-05: NUL bytes", "\0".repeat(1000)],
  ["PRO-05: NUL bytes in a message", '{"id":"x\0","method":"getUserAgent"}'],
  ["PRO-06: 100 000 levels", `{"id":"x","op":${deep(100_000)},"method":"m","params":${deep(9)}}`],
  ["PRO-06: levels that do not end", `{"id":"x","params":${"[".repeat(100_000)}`],
  ["PRO-07: a long one", `{"id":"x","op":"${"x".repeat(2e6)}"}`],
  ["PRO-09: unknown", '{"id":"u","op":{"type":"make_coffee"},"method":"makeCoffee"}'],
  ["PRO-10: wrong types", '{"id":{"a":1},"op":7,"method":7}'],
  ["PRO-10: wrong params", '{"id":"p","method":"newConversation","params":7}'],
  ["PRO-11: nothing at all", "{}"],
  ["PRO-13: __proto__", '{"id":"y","__proto__":{"op":{"type":"shutdown"},"method":"shutdown"}}'],
  ["PRO-13: constructor", '{"id":"z","method":"constructor","op":{"type":"constructor"}}'],
  ["PRO-13: toString", '{"id":"z2","method":"toString","op":{"type":"toString"}}'],
  ["PRO-19: a list", '[{"id":"x","op":{"type":"shutdown"}}]'],
  ["PRO-19: an empty list", "[]"],
  ["PRO-19: a text", '"getUserAgent"'],
  ["PRO-19: a number", "7"],
  ["PRO-19: null", "null"],
];

/** The model runs a command that does not end. */
const sleeper = {
  model: [calls("shell", { command: ["bash", "-c", "echo $$ > pid; sleep 600"] })],
};

/** Sends `initialize`, as the protocol requires. */
async function greet(surface: Surface, wire: Wire): Promise<void> {
  if (surface === "proto") {
    await wire.until(({ msg }) => (msg as { type: string }).type === "session_configured");
    return;
  }
  const clientInfo = { name: "t", title: "T", version: "1" };
  const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
  expect(await wire.ask("hello", "initialize", params)).toHaveProperty("result");
  wire.send({ jsonrpc: "2.0", method: "initialized" });
}

/** Sends a harmless request and waits for its response. */
async function isAlive(surface: Surface, wire: Wire, id: string): Promise<void> {
  if (surface !== "proto") expect(await wire.ask(id, "getUserAgent")).toHaveProperty("result");
  else {
    wire.send({ id, op: { type: "get_path" } });
    const isAnswer = (message: Record<string, unknown>) =>
      message.id === id && (message.msg as { type: string }).type === "conversation_path";
    await wire.until(isAnswer);
  }
}

describe.each(places)("over %s", (place) => {
  test.each(surfaces)(
    "whatever is sent to %s, it keeps serving in bounded memory",
    async (surface) => {
      await using server = await startListening(surface, place);
      const wire = await server.join();
      await greet(surface, wire);
      await isAlive(surface, wire, "first");

      for (const [name, text] of texts) {
        wire.channel.sendText(text);
        await isAlive(surface, wire, name);
      }

      expect(server.peakMemory()).toBeLessThan(900e6);
      expect(server.child.exitCode).toBe(null);
      expect(
        server
          .stderr()
          .split("\n")
          .filter((line) => !/listening on/.test(line)),
      ).toEqual([""]);
    },
    60_000,
  );

  test("an unknown method is named, extra fields are ignored (PRO-09, PRO-12)", async () => {
    await using server = await startListening("app-server", place);
    const wire = await server.join();
    await greet("app-server", wire);

    expect(JSON.stringify(await wire.ask("u", "makeCoffee"))).toContain("makeCoffee");
    wire.send({ id: "e", method: "getUserAgent", extra: { deep: [1] }, toString: 1 });
    expect(await wire.until(({ id }) => id === "e")).toHaveProperty("result");
  });

  test("PRO-07: messages of 64 MB and more cost no more than themselves", async () => {
    await using server = await startListening("app-server", place);
    const wire = await server.join();
    await greet("app-server", wire);

    wire.channel.sendText(`{"id":"x","op":"${"x".repeat(64e6)}"}`);
    await isAlive("app-server", wire, "after 64 MB");
    wire.channel.sendText(`{"id":"x","op":"${"x".repeat(70e6)}"}`);
    // A message over the limit may cost a connection, but never the server.
    const other = place === "stdio" ? wire : await server.join();
    if (other !== wire) await greet("app-server", other);
    await isAlive("app-server", other, "after 70 MB");

    expect(server.peakMemory()).toBeLessThan(900e6);
  }, 60_000);

  test("PRO-23: a command ends with the client that disconnects", async () => {
    await using server = await startListening("proto", place, sleeper);
    const wire = await server.join();
    await greet("proto", wire);
    wire.send({ id: "t", op: { type: "user_input", items: [{ type: "text", text: "go" }] } });
    const pid = await pidOf(join(server.workspace, "pid"));
    const left = Date.now();

    if (place === "stdio") server.child.stdin.end();
    else wire.channel.destroy();
    while (isRunning(pid) && Date.now() - left < 3_000) await delay(10);

    expect(isRunning(pid)).toBe(false);
    if (place === "stdio") expect(await server.exit).toBe(0);
    expect(Date.now() - left).toBeLessThan(3_000);
    expect(linesOfRollout(server.home).length).toBeGreaterThan(3);
  });
});

test("PRO-23: a server without clients ends with everything it runs", async () => {
  await using server = await startListening("app-server", "stdio", sleeper);
  const wire = await server.join();
  await greet("app-server", wire);
  const made = (await wire.ask("n", "newConversation")) as { result: { conversationId: string } };
  const items = [{ type: "text", data: { text: "go" } }];
  void wire.ask("m", "sendUserMessage", { ...made.result, items });
  const pid = await pidOf(join(server.workspace, "pid"));
  const left = Date.now();

  server.child.stdin.end();

  expect(await server.exit).toBe(0);
  expect(Date.now() - left).toBeLessThan(3_000);
  expect(isRunning(pid)).toBe(false);
  expect(linesOfRollout(server.home).length).toBeGreaterThan(3);
});

test.each(["stdio", "unix", "tcp"] as const)(
  "PRO-21: a request sent byte by byte over %s is answered",
  async (place) => {
    await using server = await startListening("app-server", place);
    const params = { clientInfo: { name: "t", title: "ä€😀", version: "1" } };
    const bytes = Buffer.from(`${JSON.stringify({ id: 1, method: "initialize", params })}\n`);
    const socket = place === "stdio" ? undefined : connectNet(netAddress(server.url));
    const answers = socket ?? server.child.stdout;
    const answered = new Promise<Buffer>((done) => answers.once("data", done));

    for (const byte of bytes) {
      (socket ?? server.child.stdin).write(Buffer.from([byte]));
      await delay(1);
    }

    expect(JSON.parse(String(await answered))).toHaveProperty("result");
    socket?.destroy();
  },
);

async function pidOf(file: string): Promise<number> {
  for (;;) {
    try {
      const pid = Number(readFileSync(file, "utf8"));
      if (pid > 0) return pid;
    } catch {
      // The command has not started yet.
    }
    await delay(10);
  }
}

function isRunning(pid: number): boolean {
  try {
    // A zombie counts as ended.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

/** Returns the lines of the only rollout, each of which must be complete. */
function linesOfRollout(home: string): unknown[] {
  const files = readdirSync(join(home, "sessions"), { recursive: true, encoding: "utf8" });
  const file = files.find((name) => name.endsWith(".jsonl")) ?? "";
  const lines = readFileSync(join(home, "sessions", file), "utf8")
    .trimEnd()
    .split("\n");
  return lines.map((line) => JSON.parse(line) as unknown);
}

function netAddress(url: string): { path: string } | { host: string; port: number } {
  const { protocol, pathname, hostname, port } = new URL(url);
  return protocol === "unix:" ? { path: pathname } : { host: hostname, port: Number(port) };
}
