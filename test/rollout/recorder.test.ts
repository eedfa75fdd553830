import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { RolloutItem } from "../../src/protocol/types.js";
import {
  type RecorderOptions,
  RolloutRecorder,
  readConversation,
  writerLockPath,
} from "../../src/rollout/index.js";
import { buildWriter } from "./child-process.js";
import { id, message, meta, metaOf, said, type TestHome, temporaryHome, texts } from "./support.js";

let programs: TestHome;
let startWriter: Awaited<ReturnType<typeof buildWriter>>;
beforeAll(async () => {
  programs = await temporaryHome();
  startWriter = await buildWriter(programs.path);
});
afterAll(() => programs[Symbol.asyncDispose]());

const begin: RolloutItem = { type: "session_meta", payload: metaOf() };

function says(text: string): RolloutItem {
  return { type: "response_item", payload: message("user", text) };
}

function record(path: string, more: Partial<RecorderOptions> = {}) {
  const told: string[] = [];
  const tell = (text: string) => void told.push(text);
  const options = { path, now: () => 0, onFailure: tell, onRecovery: tell, ...more };
  return { recorder: new RolloutRecorder(options), told };
}

test("every line is in the file before append returns, readable by its owner only", async () => {
  await using home = await temporaryHome();
  const path = join(home.path, "sessions", "2025", "r.jsonl");
  const { recorder, told } = record(path);

  recorder.append(begin);

  expect(readFileSync(path, "utf8")).toBe(
    `${JSON.stringify({ timestamp: "1970-01-01T00:00:00.000Z", ...begin })}\n`,
  );
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(join(home.path, "sessions")).mode & 0o777).toBe(0o700);
  await recorder.close();
  recorder.append(says("too late"));
  expect(told).toEqual([]);
});

test("a line recorded with the next one is written in one piece with it, or at the end", async () => {
  await using home = await temporaryHome();
  const path = join(home.path, "r.jsonl");
  const { recorder } = record(path);
  const lines = () => readFileSync(path, "utf8").trimEnd().split("\n").length;

  recorder.append(begin);
  recorder.append(says("a question"), "with the next");
  expect(lines()).toBe(1);
  recorder.append(says("its event"));
  expect(lines()).toBe(3);

  recorder.append(says("another"), "with the next");
  await recorder.close();
  expect(lines()).toBe(4);
});

test("a file created with the first message contains the lines before it", async () => {
  await using home = await temporaryHome();
  const path = join(home.path, "sessions", "r.jsonl");
  const { recorder } = record(path, { create: "with the first message" });

  recorder.append(begin);
  recorder.append(says("<environment_context>e</environment_context>"));
  const before = existsSync(path);
  recorder.append(says("hello"));

  expect(before).toBe(false);
  const { items } = await readConversation(path);
  expect(texts(items)).toEqual(["<environment_context>e</environment_context>", "hello"]);
  await recorder.close();
});

test("a conversation without a message leaves no file", async () => {
  await using home = await temporaryHome();
  const path = join(home.path, "r.jsonl");
  const { recorder } = record(path, { create: "with the first message" });

  recorder.append(begin);
  await recorder.close();

  expect(existsSync(path)).toBe(false);
});

test("resuming appends after a truncated line", async () => {
  await using home = await temporaryHome();
  const path = home.write("r.jsonl", [meta(), ...said("user", "one"), '{"timestamp":"20']);
  const { recorder } = record(path, { create: "never" });

  recorder.append(says("two"));
  await recorder.close();

  const conversation = await readConversation(path);
  expect(texts(conversation.items)).toEqual(["one", "two"]);
  expect(conversation.warnings).toEqual(["Line 4 was skipped: it is not JSON."]);
});

test("[documents D10] a sandbox policy is written as the version writes it, with both tags by default", async () => {
  await using home = await temporaryHome();
  const context: RolloutItem = {
    type: "turn_context",
    payload: {
      cwd: "/w",
      approval_policy: "never",
      sandbox_policy: { mode: "workspace-write" },
      model: "m",
      summary: "auto",
    },
  };
  const policies = (["mode", "type", "both"] as const).map((policyTag) => {
    const path = join(home.path, `${policyTag}.jsonl`);
    const { recorder } = record(path, { behavior: { policyTag } });
    recorder.append(context);
    void recorder.close();
    return JSON.parse(readFileSync(path, "utf8")).payload.sandbox_policy;
  });

  const settings = {
    network_access: false,
    exclude_tmpdir_env_var: false,
    exclude_slash_tmp: false,
  };
  expect(policies).toEqual([
    { mode: "workspace-write", ...settings },
    { type: "workspace-write", ...settings },
    { mode: "workspace-write", type: "workspace-write", ...settings },
  ]);
});

test("lines are queued while the file is not writable, and written later", async () => {
  await using home = await temporaryHome();
  home.write("sessions", ["a file where a folder is needed"]);
  const path = join(home.path, "sessions", "r.jsonl");
  const { recorder, told } = record(path, { lock: join(home.path, "sessions", "r.lock") });
  recorder.append(begin);
  recorder.append(says("one"));
  const toldBefore = [...told];

  rmSync(join(home.path, "sessions"));
  recorder.append(says("two"));

  expect(toldBefore).toHaveLength(1);
  expect(toldBefore[0]).toMatch(
    /^Cannot write the conversation to \S+r\.jsonl: E\w+: .* It continues; new lines are queued in memory and written as soon as possible\.$/,
  );
  expect(told.slice(1)).toEqual([
    `The conversation is written to ${path} again; nothing was lost.`,
  ]);
  const { items, warnings } = await readConversation(path);
  expect([texts(items), warnings]).toEqual([["one", "two"], []]);
  await recorder.close();
});

test("lines that were never written are counted on close", async () => {
  await using home = await temporaryHome();
  home.write("sessions", ["a file where a folder is needed"]);
  const { recorder, told } = record(join(home.path, "sessions", "r.jsonl"));
  recorder.append(begin);
  recorder.append(says("one"));

  await recorder.close();

  expect(told[1]).toMatch(/^The last 2 lines of the conversation could not be written to /);
});

test("the queue is bounded, and dropped lines are reported", async () => {
  await using home = await temporaryHome();
  home.write("sessions", ["a file where a folder is needed"]);
  const path = join(home.path, "sessions", "r.jsonl");
  const { recorder, told } = record(path, { maxQueuedBytes: 5_000 });
  recorder.append(begin);
  for (let n = 0; n < 10; n++) recorder.append(says("x".repeat(1000)));

  rmSync(join(home.path, "sessions"));
  recorder.append(says("after"));

  expect(told).toHaveLength(3);
  expect(told[1]).toMatch(/^The queue of lines for /);
  expect(told[2]).toMatch(/ again; 6 lines were lost\.$/);
  await recorder.close();
});

test("a link or a pipe in the place of the file is not written through", async () => {
  await using home = await temporaryHome();
  const target = home.write("target", ["untouched\n"]);
  symlinkSync(target, join(home.path, "link.jsonl"));
  spawnSync("mkfifo", [join(home.path, "pipe.jsonl")]);

  const told = ["link.jsonl", "pipe.jsonl"].map((name) => {
    const one = record(join(home.path, name));
    one.recorder.append(begin);
    return one.told.length;
  });

  expect(told).toEqual([1, 1]);
  expect(readFileSync(target, "utf8")).toBe("untouched\n");
});

const prlimit = spawnSync("prlimit", ["--version"]).status === 0;

test.skipIf(!prlimit)("a disk that is full loses nothing once there is room again", async () => {
  await using home = await temporaryHome();
  const path = join(home.path, "r.jsonl");
  await using writer = startWriter({ path }, ["prlimit", "--fsize=20000:unlimited"]);
  writer.send("meta");
  writer.send("add 40");
  await writer.until(({ done }) => done === "add 40");
  const full = await readConversation(path);

  spawnSync("prlimit", ["--pid", String(writer.child.pid), "--fsize=unlimited"]);
  writer.send("add 1");
  await writer.until(({ done }) => done === "add 1");

  expect(writer.told.filter(({ failure }) => failure !== undefined)).toHaveLength(1);
  expect(writer.told.filter(({ recovery }) => recovery !== undefined)).toHaveLength(1);
  // Nothing of the line that did not fit is left in the file.
  expect([full.items.length < 40, full.warnings]).toEqual([true, []]);
  const { items, warnings } = await readConversation(path);
  expect(warnings).toEqual([]);
  expect(texts(items).map((text) => Number(text.split(" ")[0]))).toEqual(
    Array.from({ length: 41 }, (_, n) => n),
  );
});

test("a process that is killed in the middle of writing loses at most its last line", async () => {
  await using home = await temporaryHome();
  for (let round = 0; round < 3; round++) {
    const path = join(home.path, `r${round}.jsonl`);
    await using writer = startWriter({ path });
    writer.send("meta");
    writer.send("add 1000000");
    const { written = 0 } = await writer.until((told) => (told.written ?? 0) >= 200 * (round + 1));
    writer.child.kill("SIGKILL");
    await writer.end();

    const { items, warnings } = await readConversation(path);

    const told = Math.max(written, ...writer.told.map((one) => one.written ?? 0));
    expect(items.length).toBeGreaterThanOrEqual(told);
    expect(texts(items).map((text) => Number(text.split(" ")[0]))).toEqual(
      Array.from({ length: items.length }, (_, n) => n),
    );
    expect(warnings.every((text) => text.startsWith("The last line"))).toBe(true);
  }
});

test("only one process writes a conversation; after its exit another may", async () => {
  await using home = await temporaryHome();
  const path = home.write("r.jsonl", [meta()]);
  const lock = writerLockPath(home.path, id);
  await using writer = startWriter({ path, lock, create: "never" });
  await writer.until(({ opened }) => opened === true);

  expect(() => record(path, { create: "never", lock })).toThrow(
    `The conversation is being written by process ${writer.child.pid}; close it there first ` +
      `(if that process has exited, delete ${lock})`,
  );

  writer.child.kill("SIGKILL");
  await writer.end();
  const { recorder } = record(path, { create: "never", lock });
  recorder.append(says("mine now"));
  await recorder.close();
  expect(existsSync(lock)).toBe(false);
  expect(texts((await readConversation(path)).items)).toEqual(["mine now"]);
});

test("of many processes that want a conversation at once one gets it", async () => {
  await using home = await temporaryHome();
  const path = home.write("r.jsonl", [meta()]);
  const lock = writerLockPath(home.path, id);
  // The lock of a dead process: all see it, and all may try to take it over.
  mkdirSync(join(home.path, "quire-locks"));
  home.append(`quire-locks/${id}.lock`, `999999999 123 ${(await import("node:os")).hostname()} x`);
  const writers = Array.from({ length: 6 }, () => startWriter({ path, lock, create: "never" }));
  try {
    const told = await Promise.all(
      writers.map((writer) => writer.until((one) => "opened" in one || "error" in one)),
    );

    expect(told.filter(({ opened }) => opened)).toHaveLength(1);
    const refused = told.flatMap(({ error }) => error ?? []);
    expect(refused.every((text) => text.startsWith("The conversation is being written by"))).toBe(
      true,
    );
  } finally {
    for (const writer of writers) await writer[Symbol.asyncDispose]();
  }
});

test("the same process does not open a conversation twice either", async () => {
  await using home = await temporaryHome();
  const path = home.write("r.jsonl", [meta()]);
  const lock = writerLockPath(home.path, id);
  const { recorder } = record(path, { create: "never", lock });

  expect(() => record(path, { create: "never", lock })).toThrow("by this process");

  await recorder.close();
});
