import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startEditor } from "../../support/acp.js";
import { calls, fails, says } from "../../support/model.js";

test("modes and options change the settings of the next turn", async () => {
  await using editor = await startEditor({
    config: { model: "gpt-5.5" },
    model: [calls("shell", { command: ["touch", "made"] }), says("Done.")],
    permit: () => "decline",
  });
  const { sessionId, configOptions } = await editor.newSession();
  expect(configOptions?.map(({ id }) => id)).toEqual(["mode", "model", "effort"]);

  await editor.agent.request("session/set_mode", { sessionId, modeId: "read-only" });
  const { configOptions: changed } = await editor.agent.request("session/set_config_option", {
    sessionId,
    configId: "effort",
    value: "high",
  });

  const values = changed.map(({ id, currentValue }) => [id, currentValue]);
  expect(values).toEqual([
    ["mode", "read-only"],
    ["model", "gpt-5.5"],
    ["effort", "high"],
  ]);
  expect(await editor.until("current_mode_update")).toMatchObject({ currentModeId: "read-only" });
  await editor.prompt(sessionId, "go");
  expect(editor.server.prompts[0]?.reasoning).toMatchObject({ effort: "high" });
  expect(editor.problems).toEqual([]);
});

test("a mode that the administrator forbids is neither listed nor accepted", async () => {
  await using editor = await startEditor({
    requirements: 'allowed_sandbox_modes = ["read-only", "workspace-write"]',
    config: { sandbox_mode: "read-only", approval_policy: "on-request" },
  });
  const { sessionId, modes } = await editor.newSession();

  expect(modes?.availableModes.map(({ id }) => id)).toEqual(["read-only", "auto", "plan"]);
  const change = editor.agent.request("session/set_mode", { sessionId, modeId: "full-access" });
  await expect(change).rejects.toThrow("full-access");
});

test("slash commands: prompts, init, compact and review", async () => {
  await using editor = await startEditor({
    model: [says("Filled."), says("Written."), says("Summary."), says("Looks good.")],
  });
  await mkdir(join(editor.server.home, "prompts"));
  await writeFile(join(editor.server.home, "prompts/greet.md"), "Greet $1 warmly.");
  const { sessionId } = await editor.newSession();

  const { availableCommands } = await editor.until("available_commands_update");
  expect(availableCommands.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["review", "compact", "init", "prompts:greet"]),
  );
  expect(await editor.prompt(sessionId, "/prompts:greet Ada")).toBe("end_turn");
  expect(JSON.stringify(editor.server.prompts[0]?.input)).toContain("Greet Ada warmly.");
  expect(await editor.prompt(sessionId, "/init")).toBe("end_turn");
  expect(JSON.stringify(editor.server.prompts[1]?.input)).toContain("AGENTS.md");
  expect(await editor.prompt(sessionId, "/compact")).toBe("end_turn");
  expect(await editor.prompt(sessionId, "/review the tests")).toBe("end_turn");
  expect(editor.text().split("Looks good.").length - 1).toBe(1);
  await expect(editor.prompt(sessionId, "/prompts:nope")).rejects.toThrow("no such prompt");
  expect(editor.problems).toEqual([]);
});

test("a failed turn is an error with the reason", async () => {
  await using editor = await startEditor({
    model: [fails(400, { error: { message: "no such model" } })],
  });
  const { sessionId } = await editor.newSession();

  await expect(editor.prompt(sessionId, "hi")).rejects.toThrow("no such model");
});

test("a provider that needs a login says so", async () => {
  await using editor = await startEditor({ config: { model_provider: "openai" } });

  await expect(editor.newSession()).rejects.toMatchObject({ code: -32000 });
});

test("a session is forked, listed and deleted", async () => {
  await using editor = await startEditor({ model: [says("One."), says("Two.")] });
  const { sessionId } = await editor.newSession();
  await editor.prompt(sessionId, "hi");
  const cwd = editor.workspace;

  const fork = await editor.agent.request<{ sessionId: string }>("session/fork", {
    sessionId,
    cwd,
    mcpServers: [],
  });
  expect(await editor.prompt(fork.sessionId, "more")).toBe("end_turn");
  await editor.agent.request("session/delete", { sessionId });

  const { sessions } = await editor.agent.request("session/list", {});
  expect(sessions.map((one) => one.sessionId)).toEqual([fork.sessionId]);
  expect(editor.problems).toEqual([]);
});
