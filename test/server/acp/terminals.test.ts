import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type AcpOptions, startEditor } from "../../support/acp.js";
import { createTerminals } from "../../support/editor-terminals.js";
import { calls, says } from "../../support/model.js";

const capabilities = { terminal: true };
const unconfined = { sandbox_mode: "danger-full-access", approval_policy: "never" };

function running(command: string, options: AcpOptions = {}): AcpOptions {
  const shell = calls("shell", { command: ["bash", "-c", command], timeout_ms: 60_000 });
  return { capabilities, config: unconfined, model: [shell, says("Done.")], ...options };
}

test("with full access a command runs in a terminal of the editor", async () => {
  const terminals = createTerminals();
  await using editor = await startEditor(
    running("echo one; echo two >&2; exit 3", { answer: terminals.answer }),
  );
  const { sessionId } = await editor.newSession();

  expect(await editor.prompt(sessionId, "go")).toBe("end_turn");

  expect(terminals.created).toMatchObject([{ sessionId, cwd: editor.workspace }]);
  const content = [{ type: "terminal", terminalId: "terminal-1" }];
  const ended = await editor.until("tool_call_update", ({ status }) => status === "failed");
  expect(ended).toMatchObject({ content, rawOutput: { exitCode: 3 } });
  const seen = JSON.stringify(editor.server.prompts.at(-1)?.input);
  expect(seen).toContain("one\\\\ntwo");
  expect(seen).toContain("3");
  expect(terminals.asked.at(-1)).toBe("terminal/release");
  expect(editor.problems).toEqual([]);
});

test("a command that may go on runs in a terminal of the editor, too", async () => {
  const terminals = createTerminals();
  await using editor = await startEditor({
    capabilities,
    config: { ...unconfined, model: "gpt-5.5" },
    model: [calls("exec_command", { cmd: "echo shown" }), says("Done.")],
    answer: terminals.answer,
  });
  const { sessionId } = await editor.newSession();

  await editor.prompt(sessionId, "go");

  expect(terminals.created).toHaveLength(1);
  expect(JSON.stringify(editor.server.prompts.at(-1)?.input)).toContain("shown");
  const shown = await editor.until("tool_call_update", ({ content }) => content != null);
  expect(shown.content).toEqual([{ type: "terminal", terminalId: "terminal-1" }]);
  expect(editor.problems).toEqual([]);
});

test("a command in the sandbox never runs in a terminal of the editor", async () => {
  const terminals = createTerminals();
  await using editor = await startEditor(
    running("echo inside", {
      config: { sandbox_mode: "workspace-write", approval_policy: "never" },
      answer: terminals.answer,
    }),
  );
  const { sessionId } = await editor.newSession();

  await editor.prompt(sessionId, "go");

  expect(terminals.asked).toEqual([]);
  expect(JSON.stringify(editor.server.prompts.at(-1)?.input)).toContain("inside");
});

test("variables that commands must not get are removed", async () => {
  const terminals = createTerminals();
  process.env.QUIRE_TEST_SECRET = "hidden";
  await using editor = await startEditor(
    running("echo value=$QUIRE_TEST_SECRET", {
      env: { QUIRE_TEST_SECRET: "hidden" },
      config: { ...unconfined, shell_environment_policy: { exclude: ["QUIRE_TEST_*"] } },
      answer: terminals.answer,
    }),
  );
  const { sessionId } = await editor.newSession();

  await editor.prompt(sessionId, "go");
  delete process.env.QUIRE_TEST_SECRET;

  expect(terminals.created).toHaveLength(1);
  expect(JSON.stringify(editor.server.prompts.at(-1)?.input)).not.toContain("hidden");
});

test("an editor without the method gets no terminals, and the command runs", async () => {
  const asked: string[] = [];
  await using editor = await startEditor(
    running("echo own", {
      answer(method) {
        asked.push(method);
        throw Object.assign(new Error("Method not found"), { code: -32601 });
      },
    }),
  );
  const { sessionId } = await editor.newSession();

  await editor.prompt(sessionId, "go");

  expect(asked).toEqual(["terminal/create"]);
  expect(JSON.stringify(editor.server.prompts.at(-1)?.input)).toContain("own");
});

test("a terminal that the editor refuses is a failed command", async () => {
  await using editor = await startEditor(
    running("touch made", {
      answer() {
        throw new Error("denied by the user");
      },
    }),
  );
  const { sessionId } = await editor.newSession();

  await editor.prompt(sessionId, "go");

  expect(existsSync(join(editor.workspace, "made"))).toBe(false);
  const seen = JSON.stringify(editor.server.prompts.at(-1)?.input);
  expect(seen).toContain("refused to run it in a terminal");
});

test("a cancelled turn ends the command in the terminal and what it started", async () => {
  const terminals = createTerminals();
  await using editor = await startEditor(
    running("sleep 600 & touch started; wait; touch late", { answer: terminals.answer }),
  );
  const { sessionId } = await editor.newSession();
  const prompt = editor.prompt(sessionId, "go");
  await editor.until("tool_call_update", ({ content }) => content?.[0]?.type === "terminal");

  await editor.agent.notify("session/cancel", { sessionId });

  expect(await prompt).toBe("cancelled");
  await expect.poll(() => terminals.asked).toContain("terminal/kill");
  await expect.poll(() => terminals.asked).toContain("terminal/release");
  expect(existsSync(join(editor.workspace, "late"))).toBe(false);
});
