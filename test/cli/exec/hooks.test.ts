import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makePlace } from "../../support/exec.js";
import { command, trustHooks, writeHooks } from "../../support/hooks.js";
import { calls, says } from "../../support/model.js";

const touches = calls("exec_command", { cmd: "touch made.txt" }, "c1");
const free = ["exec", "-s", "danger-full-access", "--json"];

const outputs = (place: { model: { requests: readonly { body: unknown }[] } }) =>
  JSON.stringify(place.model.requests.at(-1)?.body);

test("[clients 10] a trusted hook that exits with 2 keeps a command from running, and the model gets its words", async () => {
  await using place = await makePlace([touches, says("Done.")]);
  await trustHooks(place.home, command("PreToolUse", "echo 'no files' >&2; exit 2", "Bash"));

  const { code, stdout } = await place.run("quire", [...free, "go"]);

  expect(code).toBe(0);
  expect(existsSync(join(place.workspace, "made.txt"))).toBe(false);
  expect(outputs(place)).toContain(
    "Command blocked by PreToolUse hook: no files. Command: touch made.txt",
  );
  expect(stdout).not.toContain("command_execution");
});

test("hooks that block and fail are reported", async () => {
  await using place = await makePlace([touches, says("Done."), says("Done.")]);
  const [blocks, fails] = [command("PreToolUse", "echo no >&2; exit 2"), command("Stop", "exit 1")];
  await trustHooks(place.home, { ...blocks, ...fails });
  const file = `${place.home}/hooks.json`;

  const text = await place.run("quire", ["exec", "-s", "danger-full-access", "go"]);
  const json = await place.run("quire", [...free, "go"]);

  expect(text.stderr).toContain(`hook: PreToolUse hook blocked: no (${file})`);
  expect(text.stderr).toContain(`hook: Stop hook failed: hook exited with code 1 (${file})`);
  expect(json.stdout).toContain(`"Stop hook failed: hook exited with code 1 (${file})"`);
});

test("an untrusted hook that could block ends the run with 3 before the model is asked", async () => {
  await using place = await makePlace([touches, says("Done.")]);
  await writeHooks(place.home, command("PreToolUse", "exit 2"));

  const { code, stderr } = await place.run("quire", [...free, "go"]);

  expect(code).toBe(3);
  expect(stderr).toContain(`${place.home}/hooks.json:pre_tool_use:0:0`);
  expect(stderr).toContain("`quire hooks trust`");
  expect(stderr).toContain("--dangerously-bypass-hook-trust");
  expect(place.model.requests).toEqual([]);
});

test("a hook that changed since it was trusted ends the run with 3 too", async () => {
  await using place = await makePlace([touches]);
  await trustHooks(place.home, command("PreToolUse", "exit 2"));
  await writeHooks(place.home, command("PreToolUse", "exit 2; true"));

  const { code, stderr } = await place.run("quire", [...free, "go"]);

  expect(code).toBe(3);
  expect(stderr).toContain("changed since it was trusted");
});

test("an untrusted hook that cannot block is skipped with a warning", async () => {
  await using place = await makePlace([says("Done.")]);
  await writeHooks(place.home, command("SessionEnd", "touch ran.txt"));

  const { code, stdout } = await place.run("quire", [...free, "go"]);

  expect(code).toBe(0);
  expect(stdout).toContain("These hooks are not trusted and do not run:");
  expect(existsSync(join(place.workspace, "ran.txt"))).toBe(false);
});

test("--dangerously-bypass-hook-trust runs hooks without trust, and warns", async () => {
  await using place = await makePlace([touches, says("Done.")]);
  await writeHooks(place.home, command("PreToolUse", "echo no >&2; exit 2"));

  const { code, stdout } = await place.run("quire", [
    ...free,
    "--dangerously-bypass-hook-trust",
    "go",
  ]);

  expect(code).toBe(0);
  expect(stdout).toContain("`--dangerously-bypass-hook-trust` is enabled.");
  expect(existsSync(join(place.workspace, "made.txt"))).toBe(false);
});

test.each([
  ["malformed JSON", "{", "hooks.json"],
  ["an unknown event", '{"hooks":{"PreTool":[]}}', "PreTool"],
  ["an unknown kind", '{"hooks":{"PreToolUse":[{"hooks":[{"type":"script"}]}]}}', "script"],
])("hooks with %s end the run with 3, with the place on standard error", async (_, text, named) => {
  await using place = await makePlace([touches]);
  await writeFile(join(place.home, "hooks.json"), text);

  const { code, stderr } = await place.run("quire", [...free, "go"]);

  expect(code).toBe(3);
  expect(stderr).toContain(named);
  expect(place.model.requests).toEqual([]);
});

test("SessionStart, prompts, stops and the end reach hooks in order, with the transcript", async () => {
  await using place = await makePlace([says("Done.")]);
  const log = (event: string) =>
    command(event, `cat >> ${place.home}/log; echo >> ${place.home}/log`);
  const events = ["SessionStart", "UserPromptSubmit", "Stop", "SessionEnd"];
  await trustHooks(place.home, Object.assign({}, ...events.map(log)));

  const { code } = await place.run("quire", [...free, "go"]);

  expect(code).toBe(0);
  const seen = (await readFile(join(place.home, "log"), "utf8"))
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, string>);
  expect(seen.map(({ hook_event_name }) => hook_event_name)).toEqual(events);
  expect(existsSync(seen[0]?.transcript_path ?? "")).toBe(true);
});
