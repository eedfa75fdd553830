import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { startTestCodex, text } from "../support/codex.js";
import { says } from "../support/model.js";

describe("an engine without a session", () => {
  test("refuses ops under their id, and accepts configure_session afterwards", async () => {
    await using codex = await startTestCodex({ configure: false, model: [says("Hi.")] });

    codex.submit({ type: "user_input", items: text("hi") }, "early");
    const refused = await codex.until("error");
    codex.submit({ type: "configure_session" }, "");
    await codex.until("session_configured");
    const events = await codex.turn({ type: "user_input", items: text("hi") });

    expect(refused).toEqual({
      id: "early",
      msg: {
        type: "error",
        message: "There is no session yet for user_input: send configure_session first",
      },
    });
    expect(events.at(-1)).toMatchObject({ type: "task_complete", last_agent_message: "Hi." });
  });

  test("can be shut down", async () => {
    await using codex = await startTestCodex({ configure: false });

    await codex.shutdown();

    expect(codex.events).toEqual([{ id: "bye", msg: { type: "shutdown_complete" } }]);
  });
});

test("a relative folder of an op is resolved from the engine's", async () => {
  await using codex = await startTestCodex({ configure: false });
  await mkdir(join(codex.workspace, "sub"));

  codex.submit({ type: "configure_session", cwd: "sub" }, "");
  const { msg } = await codex.until("session_configured");

  expect(msg.cwd).toBe(join(codex.workspace, "sub"));
});

test("settings with a mistake leave the session as it was", async () => {
  await using codex = await startTestCodex({ model: [says("Still here.")] });

  codex.submit({ type: "configure_session", config: { model_provider: "missing" } }, "bad");
  const { id, msg } = await codex.until("error");
  const events = await codex.turn({ type: "user_input", items: text("hi") });

  expect({ id, isNamed: msg.message.includes("missing") }).toEqual({ id: "bad", isNamed: true });
  expect(events.at(-1)).toMatchObject({ last_agent_message: "Still here." });
});

test("a shutdown aborts the running task before it completes", async () => {
  await using codex = await startTestCodex({
    model: [[{ call: "shell", args: { command: ["sleep", "60"] }, call_id: "c1" }]],
  });
  const id = codex.submit({ type: "user_input", items: text("wait") });
  await codex.until("exec_command_begin");

  await codex.shutdown();

  const last = codex.events.slice(-2).map((event) => [event.id, event.msg.type]);
  expect(last).toEqual([
    [id, "turn_aborted"],
    ["bye", "shutdown_complete"],
  ]);
});
