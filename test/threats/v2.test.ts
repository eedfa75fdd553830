import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { says } from "../support/model.js";
import { startListening, type Wire } from "./support/listening.js";

const file = resolve(import.meta.dirname, "../../schema/app-server.schema.json");
const { messages } = JSON.parse(readFileSync(file, "utf8")) as {
  messages: { kind: string; name: string }[];
};
const methods = messages.filter(({ kind }) => kind === "method").map(({ name }) => name);

const deep = JSON.parse("[".repeat(50) + "]".repeat(50)) as unknown;
const long = "x".repeat(100_000);

/** Params that no method accepts, or that refer to nothing. */
const junk: [string, unknown][] = [
  ["PRO-10: a number", 7],
  ["PRO-10: a text", "x"],
  ["PRO-10: a list", [1, 2]],
  ["PRO-10: wrong types", { threadId: 7, turnId: [], input: "x", cwd: {}, name: 1, query: 7 }],
  ["PRO-10: nested", { threadId: deep, input: deep, config: deep, edits: deep }],
  ["PRO-11: nothing in it", {}],
  ["PRO-11: null", null],
  ["PRO-13: __proto__", JSON.parse('{"__proto__":{"threadId":"x"},"constructor":{"a":1}}')],
  ["no such thread", { threadId: "0192c7a1-0000-7000-8000-000000000009", turnId: "t", input: [] }],
  ["a path in place of an id", { threadId: "../../../etc/passwd", path: "../../../etc/passwd" }],
  ["a long text", { threadId: long, name: long, query: long, serverName: long, server: long }],
];

async function greet(wire: Wire): Promise<void> {
  const clientInfo = { name: "t", title: "T", version: "1" };
  const capabilities = { experimentalApi: true };
  await wire.ask("hello", "initialize", { clientInfo, capabilities });
  wire.send({ method: "initialized" });
}

type Answer = { result?: Record<string, unknown>; error?: { code: number; message: string } };

/** Clients know this code for threads that these methods do not find. */
function isRecorded(method: string): boolean {
  return method.startsWith("thread/queue/");
}

describe.each(["stdio", "ws"] as const)("v2 over %s", (place) => {
  test("every method rejects invalid params without failing (PRO-10, PRO-11, PRO-13)", async () => {
    await using server = await startListening("app-server", place);
    const wire = await server.join();
    await greet(wire);

    const odd: unknown[] = [];
    for (const [name, params] of junk) {
      const answers = await Promise.all(
        methods.map(async (method) => ({
          method,
          answer: (await wire.ask(`${name} ${method}`, method, params)) as Answer,
        })),
      );
      const failed = answers.filter(
        ({ method, answer }) => answer.error?.code === -32603 && !isRecorded(method),
      );
      odd.push(...failed.map(({ method, answer }) => [name, method, answer.error?.message]));
    }

    expect(odd).toEqual([]);
    expect(({} as Record<string, unknown>).threadId).toBe(undefined);
    expect(server.peakMemory()).toBeLessThan(400e6);
    const lines = server.stderr().split("\n");
    expect(lines.filter((line) => !/listening on/.test(line))).toEqual([""]);
  }, 60_000);
});

test("files outside of the home are not threads, whatever path a client sends", async () => {
  await using server = await startListening("app-server", "stdio");
  const outside = join(server.root, "outside.jsonl");
  writeFileSync(outside, '{"timestamp":"t","type":"session_meta","payload":{"id":"x"}}\n');
  const wire = await server.join();
  await greet(wire);

  const names = ["../outside", "..%2f..%2foutside", `${outside}`, "\0", "."];
  for (const threadId of names) {
    for (const method of ["thread/read", "thread/archive", "thread/delete", "thread/resume"]) {
      const answer = (await wire.ask(`${method} ${threadId}`, method, { threadId })) as Answer;
      expect([method, threadId, answer.error === undefined]).toEqual([method, threadId, false]);
    }
  }
  expect(existsSync(outside)).toBe(true);
});

test("settings are written to the user's config.toml only", async () => {
  await using server = await startListening("app-server", "stdio");
  const victim = join(server.root, "victim.toml");
  writeFileSync(victim, "# untouched\n");
  const wire = await server.join();
  await greet(wire);

  const edit = { keyPath: "model", value: "evil", mergeStrategy: "replace" };
  for (const filePath of [victim, "../victim.toml", "/etc/codex/config.toml"]) {
    const answer = (await wire.ask(filePath, "config/value/write", {
      ...edit,
      filePath,
    })) as Answer;
    expect([filePath, answer.error === undefined]).toEqual([filePath, false]);
  }
  expect(readFileSync(victim, "utf8")).toBe("# untouched\n");
});

test("PRO-24: invalid images of v2 are not sent", async () => {
  const replies = Array.from({ length: 4 }, () => says("Still here."));
  await using server = await startListening("app-server", "stdio", { model: replies });
  const wire = await server.join();
  await greet(wire);
  execFileSync("mkfifo", [join(server.root, "pipe")]);
  mkdirSync(join(server.root, "folder.png"));
  const started = (await wire.ask("s", "thread/start", { cwd: server.workspace })) as {
    result: { thread: { id: string } };
  };
  const threadId = started.result.thread.id;

  const paths = [
    "/etc/shadow",
    join(server.root, "pipe"),
    "/dev/zero",
    join(server.root, "folder.png"),
  ];
  for (const [index, path] of paths.entries()) {
    const input = [
      { type: "text", text: "look" },
      { type: "localImage", path },
    ];
    await wire.ask(path, "turn/start", { threadId, input });
    const count = () => wire.messages.filter(({ method }) => method === "turn/completed").length;
    await wire.until(() => count() > index);
  }

  expect(server.model.requests.length).toBe(paths.length);
  expect(JSON.stringify(server.model.requests)).toContain("look");
  expect(JSON.stringify(server.model.requests)).not.toContain("data:");
  expect(JSON.stringify(server.model.requests)).not.toContain("root:");
  expect(server.peakMemory()).toBeLessThan(400e6);
});
