import { mkdtemp, readFile, rename, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { listenScriptedModel } from "../../../src/model/scripted/index.js";
import { createInProcessUser, type InProcessOptions } from "../support/in-process.js";

/** Runs the program in this process. */
async function runInProcess(args: readonly string[], options: InProcessOptions) {
  using user = createInProcessUser();
  return await user.run(args, options);
}

const secret = "sk-1234567890abcdefghij";

/** Records a run with one command and one message, and stops the model. */
async function recorded(wire = "responses") {
  const folder = await mkdtemp(join(tmpdir(), "quire-cassette-"));
  const env = { CODEX_HOME: await mkdtemp(join(tmpdir(), "quire-home-")), SOME_KEY: secret };
  const cwd = await mkdtemp(join(tmpdir(), "quire-work-"));
  const script = [
    [{ call: "shell", args: { command: ["pwd"], workdir: cwd }, call_id: "c1" }],
    [{ message: `The key is ${secret} in ${cwd}` }],
  ];
  await using model = await listenScriptedModel({ script });
  const provider = `model_providers.m={name="m",base_url="${model.baseUrl}",wire_api="${wire}"}`;
  const settings = [
    "--skip-git-repo-check",
    "-c",
    "model=m",
    "-c",
    "model_provider=m",
    "-c",
    provider,
  ];
  const file = join(folder, "run.cassette");
  const run = await runInProcess(["record", file, "--", "exec", ...settings, "Where?"], {
    env,
    cwd,
  });
  return { folder, file, run, settings, requests: model.requests.length };
}

/** Replays in another home and folder, without a key. */
async function replay(file: string, settings: string[], prompt: string, more: string[] = []) {
  const env = { CODEX_HOME: await mkdtemp(join(tmpdir(), "quire-home-")) };
  const cwd = await mkdtemp(join(tmpdir(), "quire-work-"));
  const run = await runInProcess(["exec", "--replay", file, ...more, ...settings, prompt], {
    env,
    cwd,
  });
  return { ...run, cwd };
}

test("a recorded run replays in another home and folder without a model", async () => {
  const { file, run, settings, requests } = await recorded();
  expect(run.code, run.stderr).toBe(0);
  expect(requests).toBe(2);

  const again = await replay(file, settings, "Where?");

  expect(again.code, again.stderr).toBe(0);
  expect(again.stdout).toContain(`The key is [REDACTED] in ${again.cwd}`);
});

test("a cassette has no keys and no folders of the machine", async () => {
  const { file, folder } = await recorded();

  const text = await readFile(file, "utf8");

  expect(text).not.toContain(secret);
  expect(text).not.toContain("quire-work-");
  expect(text).not.toContain("quire-home-");
  expect(text).not.toContain(folder);
});

test("a request that was not recorded shows the first difference", async () => {
  const { file, settings } = await recorded();

  const other = await replay(file, settings, "Who?");

  expect(other.code).toBe(1);
  expect(other.stderr).toContain("First difference, at input[");
  expect(other.stderr).toContain('recorded: "Where?"');
  expect(other.stderr).toContain('sent:     "Who?"');
});

test("a lenient replay answers any request in the recorded order", async () => {
  const { file, settings } = await recorded();

  const other = await replay(file, settings, "Who?", ["--lenient"]);

  expect(other.code, other.stderr).toBe(0);
  expect(other.stdout).toContain("The key is");
});

test.each([
  ["hello\n", "is not a cassette"],
  ['{"format":"quire-cassette","version":9}\n', "has version 9 of the format"],
  ['{"format":"quire-cassette","version":1}\n{"part":"a', "was cut off after 0 responses"],
  ['{"format":"quire-cassette","version":1}\n{"n":0}\n{"end":1}\n', "has an invalid line 2"],
])("a file with %j is refused", async (text, problem) => {
  const file = join(await mkdtemp(join(tmpdir(), "quire-cassette-")), "bad");
  await writeFile(file, text);

  const { code, stderr } = await replay(file, ["--skip-git-repo-check"], "Hi");

  expect(code).not.toBe(0);
  expect(stderr).toContain(`The cassette ${file} ${problem}`);
});

test("a missing file, another file and another command are refused", async () => {
  const folder = await mkdtemp(join(tmpdir(), "quire-cassette-"));
  const env = { CODEX_HOME: folder };
  await writeFile(join(folder, "notes.txt"), "my notes");

  const missing = await replay(join(folder, "none"), ["--skip-git-repo-check"], "Hi");
  const notes = await runInProcess(
    ["record", "notes.txt", "--", "exec", "--skip-git-repo-check", "Hi"],
    { env, cwd: folder },
  );
  const server = await runInProcess(["record", "new", "--", "app-server"], { env, cwd: folder });

  expect(missing.stderr).toContain("cannot be read: ENOENT");
  expect(notes.stderr).toContain("not a cassette: choose another name");
  expect(await readFile(join(folder, "notes.txt"), "utf8")).toBe("my notes");
  expect(server).toMatchObject({ code: 2 });
  expect(server.stderr).toContain("(got `app-server`)");
});

test("a trace of the reference replays in its order", async () => {
  const folder = await mkdtemp(join(tmpdir(), "quire-cassette-"));
  const file = join(folder, "trace.jsonl");
  const item = {
    type: "message",
    role: "assistant",
    id: "m",
    content: [{ type: "output_text", text: "In <WORKSPACE>" }],
  };
  const sse = [
    { type: "response.output_item.done", item },
    { type: "response.completed", response: { id: "r", usage: null } },
  ];
  const lines = [
    { dir: "meta", msg: { name: "t" } },
    {
      dir: "model_request",
      msg: { n: 0, url: "/v1/responses", body: { instructions: "<prose>" } },
    },
    { dir: "model_response", msg: { n: 0, status: 200, sse } },
  ];
  await writeFile(file, lines.map((line) => JSON.stringify(line)).join("\n"));

  const run = await replay(file, ["--skip-git-repo-check"], "Hi");

  expect(run.code, run.stderr).toBe(0);
  expect(run.stdout).toContain(`In ${run.cwd}`);
});

test("two recorders of one file: the second is refused, and the first completes", async () => {
  const { recordCassette, replayCassette } = await import("../../../src/testing/index.js");
  const file = join(await mkdtemp(join(tmpdir(), "quire-cassette-")), "one");
  const first = await recordCassette(file);

  await expect(recordCassette(file)).rejects.toThrow("cannot be recorded now: Another process");

  await first.close();
  expect((await replayCassette(file)).left).toBe(0);
  await rename(file, `${file}.moved`);
});
