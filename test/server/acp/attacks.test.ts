import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { startEditor } from "../../support/acp.js";
import { calls, hangs, says } from "../../support/model.js";
import { startProgram } from "../../support/program.js";

test("nonsense is answered with an error, and the connection goes on", async () => {
  await using program = await startProgram({ args: ["acp"] });
  for (const line of ["{", "[]", "7", '"x"']) program.write(`${line}\n`);
  program.send({ jsonrpc: "2.0", id: 1, method: "session/list", params: {} });
  program.send({ jsonrpc: "2.0", id: 2, method: "initialize", params: { protocolVersion: 99 } });
  await program.until<{ id: number }>(({ id }) => id === 2);
  program.send({ jsonrpc: "2.0", id: 3, method: "nope" });
  program.send({ jsonrpc: "2.0", id: 4, method: "session/prompt", params: { sessionId: 5 } });
  program.send({ jsonrpc: "2.0", id: 5, method: "initialize", params: { protocolVersion: 1 } });
  program.send({ jsonrpc: "2.0", id: 6, method: "session/list", params: {} });

  await program.until<{ id: number }>(({ id }) => id === 6);

  const replies = program.lines as { id: number | null; error?: { code: number } }[];
  const codeOf = (wanted: number) => replies.find(({ id }) => id === wanted)?.error?.code;
  expect(replies.filter(({ id }) => id === null).map(({ error }) => error?.code)).toEqual([
    -32700, -32600, -32600, -32600,
  ]);
  expect([1, 2, 3, 4, 5, 6].map(codeOf)).toEqual([
    -32600,
    undefined,
    -32601,
    -32602,
    -32600,
    undefined,
  ]);
  program.child.stdin.end();
  expect(await program.exit).toMatchObject({ code: 0 });
});

test("unknown sessions, modes, options, folders and servers are refused by name", async () => {
  await using editor = await startEditor();
  const { sessionId } = await editor.newSession();
  const cwd = editor.workspace;
  const prompt = [{ type: "text" as const, text: "hi" }];
  const { agent } = editor;
  const message = (request: Promise<unknown>) =>
    request.then(
      () => "accepted",
      (error: Error) => error.message,
    );

  expect(await message(agent.request("session/prompt", { sessionId: "no", prompt }))).toContain(
    'no open session "no"',
  );
  expect(await message(agent.request("session/set_mode", { sessionId, modeId: "god" }))).toContain(
    '(got "god")',
  );
  expect(
    await message(
      agent.request("session/set_config_option", { sessionId, configId: "model", value: "x" }),
    ),
  ).toContain('(got "x")');
  expect(
    await message(agent.request("session/new", { cwd: "relative", mcpServers: [] })),
  ).toContain("absolute");
  expect(
    await message(agent.request("session/new", { cwd: "/nonexistent", mcpServers: [] })),
  ).toContain("exists");
  const sse = { type: "sse" as const, name: "old", url: "http://127.0.0.1:9", headers: [] };
  expect(await message(agent.request("session/new", { cwd, mcpServers: [sse] }))).toContain(
    '"old" uses "sse"',
  );
  const load = { sessionId: "00000000-0000-7000-8000-000000000000", cwd, mcpServers: [] };
  expect(await message(agent.request("session/load", load))).toContain("no rollout found");
  expect(await message(agent.request("session/prompt", { sessionId, prompt: [] }))).toContain(
    "empty",
  );
  expect(await message(agent.request("authenticate", { methodId: "magic" }))).toContain(
    '(got "magic")',
  );
});

test("an editor that dies in mid-turn ends its commands", async () => {
  await using program = await startProgram({
    args: ["acp"],
    model: [calls("shell", { command: ["bash", "-c", "touch started; sleep 600; touch late"] })],
  });
  program.send({ jsonrpc: "2.0", id: 1, method: "initialize", params: { protocolVersion: 1 } });
  await program.until<{ id: number }>(({ id }) => id === 1);
  const session = { cwd: program.workspace, mcpServers: [] };
  program.send({ jsonrpc: "2.0", id: 2, method: "session/new", params: session });
  const opened = await program.until<{ id: number; result: { sessionId: string } }>(
    ({ id }) => id === 2,
  );
  const { sessionId } = opened.result;
  const params = { sessionId, prompt: [{ type: "text", text: "go" }] };
  program.send({ jsonrpc: "2.0", id: 3, method: "session/prompt", params });
  while (!existsSync(join(program.workspace, "started"))) await delay(20);

  program.child.stdin.destroy();
  program.child.stdout.destroy();

  await program.exit;
});

test("a huge patch is shown in part, and written as a whole", async () => {
  const lines = Array.from({ length: 60_000 }, (_, index) => `+line ${index} of a large file`);
  const patch = ["*** Begin Patch", "*** Add File: big.txt", ...lines, "*** End Patch"].join("\n");
  await using editor = await startEditor({
    config: { model: "gpt-5.5" },
    model: [[{ apply_patch: patch }], says("Done.")],
  });
  const { sessionId } = await editor.newSession();

  expect(await editor.prompt(sessionId, "go")).toBe("end_turn");

  const call = await editor.until("tool_call", ({ kind }) => kind === "edit");
  expect(JSON.stringify(call).length).toBeLessThan(10_000);
  expect(JSON.stringify(call.content)).toContain("60000 lines, too large");
  expect(existsSync(join(editor.workspace, "big.txt"))).toBe(true);
});

test("two sessions run at once and do not mix", async () => {
  await using editor = await startEditor({ model: [hangs(says("one")), says("two")] });
  const first = await editor.newSession();
  const second = await editor.newSession();

  const running = editor.prompt(first.sessionId, "wait");
  await editor.until("agent_message_chunk");
  expect(await editor.prompt(second.sessionId, "go")).toBe("end_turn");
  await editor.agent.notify("session/cancel", { sessionId: first.sessionId });

  expect(await running).toBe("cancelled");
  const texts = editor.updates.flatMap(({ sessionId, update }) =>
    update.sessionUpdate === "agent_message_chunk" ? [[sessionId, update.content]] : [],
  );
  expect(texts).toEqual([
    [first.sessionId, { type: "text", text: "one" }],
    [second.sessionId, { type: "text", text: "two" }],
  ]);
});
