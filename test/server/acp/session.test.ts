import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startEditor } from "../../support/acp.js";
import { both, calls, hangs, reasons, says } from "../../support/model.js";

test("a prompt streams thoughts and the answer, and ends the turn", async () => {
  await using editor = await startEditor({
    model: [both(reasons("Looking"), says("Hello.", "Hel", "lo."))],
  });
  const { sessionId, modes, configOptions } = await editor.newSession();

  expect(await editor.prompt(sessionId, "hi")).toBe("end_turn");

  expect(editor.text()).toBe("Hello.");
  expect(editor.text("agent_thought_chunk")).toContain("Looking");
  expect(modes?.availableModes.map(({ id }) => id)).toContain("auto");
  expect(configOptions?.map(({ id }) => id)).toEqual(["mode", "model"]);
  expect(editor.problems).toEqual([]);
});

test("a command is a tool call with its output", async () => {
  await using editor = await startEditor({
    model: [calls("shell", { command: ["echo", "one two"] }), says("Done.")],
  });
  const { sessionId } = await editor.newSession();

  await editor.prompt(sessionId, "run it");

  const started = await editor.until("tool_call");
  expect(started).toMatchObject({
    title: "echo 'one two'",
    kind: "execute",
    status: "in_progress",
  });
  const ended = await editor.until("tool_call_update", ({ status }) => status === "completed");
  expect(ended.toolCallId).toBe(started.toolCallId);
  expect(JSON.stringify(ended.content)).toContain("one two");
  expect(editor.problems).toEqual([]);
});

test("a cancelled prompt ends as cancelled, and the session goes on", async () => {
  await using editor = await startEditor({ model: [hangs(says("Wait")), says("Again.")] });
  const { sessionId } = await editor.newSession();

  const running = editor.prompt(sessionId, "hi");
  await editor.until("agent_message_chunk");
  await editor.agent.notify("session/cancel", { sessionId });

  expect(await running).toBe("cancelled");
  expect(await editor.prompt(sessionId, "again")).toBe("end_turn");
  expect(editor.text()).toBe("WaitAgain.");
});

test("a recorded thread is loaded with its history", async () => {
  await using editor = await startEditor({
    model: [calls("shell", { command: ["echo", "one"] }), says("First."), says("Second.")],
  });
  const { sessionId } = await editor.newSession();
  await editor.prompt(sessionId, "start");
  await editor.agent.request("session/close", { sessionId });
  editor.updates.length = 0;

  const cwd = editor.workspace;
  await editor.agent.request("session/load", { sessionId, cwd, mcpServers: [] });

  expect(editor.text("user_message_chunk")).toBe("start");
  expect(editor.text()).toBe("First.");
  expect(await editor.until("tool_call")).toMatchObject({ title: "echo one", status: "completed" });
  const { sessions } = await editor.agent.request("session/list", { cwd });
  expect(sessions).toMatchObject([{ sessionId, cwd, title: "start" }]);
  expect(await editor.prompt(sessionId, "more")).toBe("end_turn");
  expect(editor.text()).toBe("First.Second.");
  expect(editor.problems).toEqual([]);
});

test("file changes are diffs with their places", async () => {
  const patch = [
    "*** Begin Patch",
    "*** Update File: a.txt",
    "@@",
    " two",
    "-three",
    "+drei",
    "*** Add File: b.txt",
    "+new",
    "*** End Patch",
  ].join("\n");
  await using editor = await startEditor({
    model: [[{ apply_patch: patch }], says("Done.")],
    config: { model: "gpt-5.5" },
  });
  const path = join(editor.workspace, "a.txt");
  await writeFile(path, "one\ntwo\nthree\nfour\n");
  const { sessionId } = await editor.newSession();

  await editor.prompt(sessionId, "change it");

  const call = await editor.until("tool_call", ({ kind }) => kind === "edit");
  expect(call.content).toEqual([
    { type: "diff", path, oldText: "two\nthree\nfour\n", newText: "two\ndrei\nfour\n" },
    { type: "diff", path: join(editor.workspace, "b.txt"), oldText: null, newText: "new\n" },
  ]);
  expect(call.locations).toEqual([{ path, line: 2 }, { path: join(editor.workspace, "b.txt") }]);
  expect(editor.problems).toEqual([]);
});

test("a closed session is free for other programs at once", async () => {
  await using editor = await startEditor({ model: [says("First.")] });
  const { sessionId } = await editor.newSession();
  await editor.prompt(sessionId, "start");
  const locks = () => filesNamed(editor.server.home, `${sessionId}.lock`);
  expect(await locks()).toHaveLength(1);

  await editor.agent.request("session/close", { sessionId });

  expect(await locks()).toEqual([]);
  expect(editor.problems).toEqual([]);
});

test("threads of other model providers are listed, too", async () => {
  await using editor = await startEditor({ model: [says("First.")] });
  const { sessionId } = await editor.newSession();
  await editor.prompt(sessionId, "start");
  await editor.agent.request("session/close", { sessionId });
  const [file = ""] = await filesNamed(join(editor.server.home, "sessions"), sessionId);
  const text = await readFile(file, "utf8");
  const other = "00000000-0000-7000-8000-00000000000a";
  const moved = text
    .replaceAll(sessionId, other)
    .replace(/"model_provider":"[^"]*"/, '"model_provider":"elsewhere"');
  await writeFile(file.replace(sessionId, other), moved);

  const { sessions } = await editor.agent.request("session/list", {});

  expect(sessions.map((one) => one.sessionId).sort()).toEqual([other, sessionId].sort());
});

/** Finds files below a folder by a part of their name. */
async function filesNamed(folder: string, part: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true });
  return names.filter((name) => name.includes(part)).map((name) => join(folder, name));
}
