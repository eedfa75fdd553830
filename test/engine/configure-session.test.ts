import { expect, test } from "vitest";
import { startTestCodex, text } from "../support/codex.js";
import { hangs, says } from "../support/model.js";

test("without a session every op but configure_session is refused under its id", async () => {
  await using codex = await startTestCodex({ configure: false });

  codex.submit({ type: "user_input", items: text("hi") }, "early");
  const { id, msg } = await codex.until("error");

  expect(id).toBe("early");
  expect(msg.message).toContain("send configure_session first");
});

test("configure_session makes the session and is answered under its id", async () => {
  await using codex = await startTestCodex({ configure: false });

  codex.submit({ type: "configure_session", model: "gpt-5", model_reasoning_effort: "low" }, "c");
  const { id, msg } = await codex.until("session_configured");

  expect(id).toBe("c");
  expect(msg).toMatchObject({ model: "gpt-5", reasoning_effort: "low", history_log_id: 0 });
});

test("a second configure_session aborts the running task and keeps the conversation", async () => {
  await using codex = await startTestCodex({ model: [hangs(says("one"))] });
  const [first] = codex.events;
  codex.submit({ type: "user_input", items: text("go") });
  await codex.until("agent_message_delta");

  codex.submit({ type: "configure_session", model: "o3" }, "again");
  const aborted = await codex.until("turn_aborted");
  const { msg } = await codex.until("session_configured");

  expect(aborted.msg.reason).toBe("replaced");
  expect(msg).toMatchObject({
    model: "o3",
    session_id: first?.thread_id,
  });
});

test("settings that cannot be used leave everything as it was", async () => {
  await using codex = await startTestCodex({ model: [says("Still here.")] });

  codex.submit({ type: "configure_session", profile: "missing" }, "bad");
  const { id, msg } = await codex.until("error");
  const events = await codex.turn({ type: "user_input", items: text("go") });

  expect({ id, message: msg.message }).toEqual({
    id: "bad",
    message: expect.stringContaining("missing"),
  });
  expect(events.at(-1)).toMatchObject({ last_agent_message: "Still here." });
});

test("override_turn_context holds for later turns, and a null effort clears it", async () => {
  await using codex = await startTestCodex({
    model: [says("1"), says("2"), says("3")],
    config: { model: "gpt-5" },
  });

  codex.submit({ type: "override_turn_context", effort: "high", approval_policy: "untrusted" });
  await codex.turn({ type: "user_input", items: text("high") });
  codex.submit({ type: "override_turn_context", summary: "concise" });
  await codex.turn({ type: "user_input", items: text("kept") });
  codex.submit({ type: "override_turn_context", effort: null });
  await codex.turn({ type: "user_input", items: text("cleared") });

  expect(codex.prompts.map((prompt) => prompt.reasoning)).toEqual([
    { effort: "high", summary: "auto" },
    { effort: "high", summary: "concise" },
    { effort: "medium", summary: "concise" }, // events of the model itself
  ]);
  expect(JSON.stringify(codex.prompts[0]?.input)).toContain("<approval_policy>untrusted<");
});
