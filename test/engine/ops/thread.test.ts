import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startTestCodex, text } from "../../support/codex.js";
import { calls, says } from "../../support/model.js";

const words = (codex: { prompts: { input: readonly unknown[] }[] }) =>
  codex.prompts.at(-1)?.input.flatMap((item) => {
    const { type, role, content } = item as { type: string; role?: string; content?: unknown };
    const [part] = (content ?? []) as { text?: string }[];
    return type === "message" && !part?.text?.startsWith("<") ? [`${role}: ${part?.text}`] : [];
  });

test("a rollback removes the user's last turns from the model's input", async () => {
  await using codex = await startTestCodex({ model: [says("One."), says("Two."), says("Three.")] });
  await codex.turn({ type: "user_input", items: text("first") });
  await codex.turn({ type: "user_input", items: text("second") });

  const id = codex.submit({ type: "thread_rollback", num_turns: 1 });
  await codex.until("thread_rolled_back");
  await codex.turn({ type: "user_input", items: text("third") });

  const told = codex.events.filter((event) => event.id === id).map(({ msg }) => msg);
  expect(told).toEqual([
    expect.objectContaining({ type: "token_count" }),
    { type: "thread_rolled_back", num_turns: 1 },
  ]);
  expect(words(codex)).toEqual(["user: first", "assistant: One.", "user: third"]);
});

test("nothing is rolled back while a turn runs", async () => {
  await using codex = await startTestCodex({
    model: [calls("shell", { command: ["sleep", "30"] })],
  });
  codex.submit({ type: "user_input", items: text("go") });
  await codex.until("exec_command_begin");

  codex.submit({ type: "thread_rollback", num_turns: 1 }, "r");
  const { id, turn_id, msg } = await codex.until("error");

  expect({ id, turn_id, message: msg.message }).toEqual({
    id: "r",
    message: "Cannot rollback while a turn is in progress.",
  });
});

test("a new name is emitted and stored for lists", async () => {
  await using codex = await startTestCodex();

  codex.submit({ type: "set_thread_name", name: "  Short name " });
  const { msg } = await codex.until("thread_name_updated");
  const index = await readFile(join(codex.home, "session_index.jsonl"), "utf8");

  expect(msg).toEqual({
    type: "thread_name_updated",
    thread_id: msg.thread_id,
    thread_name: "Short name",
  });
  expect(JSON.parse(index)).toMatchObject({ id: msg.thread_id, thread_name: "Short name" });
});

test("items that are injected are shown to the model with its next request", async () => {
  await using codex = await startTestCodex({ model: [says("Fine.")] });
  const item = {
    type: "message" as const,
    role: "assistant",
    content: [{ type: "output_text" as const, text: "Earlier." }],
  };

  codex.submit({ type: "inject_items", response_items: [item] });
  await codex.until("submission_accepted");
  await codex.turn({ type: "user_input", items: text("continue") });

  expect(words(codex)).toEqual(["assistant: Earlier.", "user: continue"]);
});

test("input is steered into the turn that runs, and into no other one", async () => {
  await using codex = await startTestCodex({
    model: [calls("shell", { command: ["sleep", "0.3"] }), says("Both seen.")],
  });
  const turn = "0198c0de-0000-7000-8000-000000000001";
  codex.submit({ type: "user_input", items: text("first") }, turn);
  await codex.until("exec_command_begin");

  codex.submit({ type: "steer_input", items: text("also this"), expected_turn_id: turn });
  const accepted = await codex.until("submission_accepted");
  codex.submit({ type: "steer_input", items: text("wrong"), expected_turn_id: "nope" });
  const mismatch = await codex.until("error");
  await codex.until("task_complete");
  codex.submit({ type: "steer_input", items: text("late"), expected_turn_id: turn });
  const late = await codex.until("error");

  expect(accepted.msg.turn_id).toBe(turn);
  expect(mismatch.msg.message).toBe(`expected active turn id \`nope\` but found \`${turn}\``);
  expect(late.msg.message).toBe("no active turn to steer");
  expect(words(codex)).toEqual(["user: first", "user: also this"]);
});

test.each([
  ["a summary", { type: "compact" }, [says("One."), says("Summary."), says("Answer.")]],
  [
    "a command of the user's",
    { type: "run_user_shell_command", command: "until [ -e go ]; do sleep 0.01; done" },
    [says("One."), says("Answer.")],
  ],
] as const)("input that joins %s is answered in a turn after it", async (_, op, model) => {
  await using codex = await startTestCodex({ model: [...model] });
  await codex.turn({ type: "user_input", items: text("first") });
  codex.submit(op);
  await codex.until("task_started");

  codex.submit({ type: "steer_input", items: text("meanwhile") });
  await codex.until("submission_accepted");
  await writeFile(join(codex.workspace, "go"), "");
  await codex.until("task_complete");
  await codex.until("task_complete");

  expect(words(codex)?.at(-1)).toBe("user: meanwhile");
  const last = codex.events.at(-1)?.msg;
  expect(last).toMatchObject({ type: "task_complete", last_agent_message: "Answer." });
});

test("a user's shell command runs as a separate task, and the model gets its output", async () => {
  await using codex = await startTestCodex({ model: [says("Seen.")] });

  const events = await codex.turn({ type: "run_user_shell_command", command: "echo hi" });
  await codex.turn({ type: "user_input", items: text("and?") });

  expect(events.map(({ type }) => type)).toEqual([
    "task_started",
    "exec_command_begin",
    "exec_command_output_delta",
    "exec_command_end",
    "task_complete",
  ]);
  const [message] = codex.prompts[0]?.input.slice(-2) ?? [];
  expect(JSON.stringify(message)).toMatch(
    /<user_shell_command>\\n<command>\\necho hi\\n<\/command>\\n<result>\\nExit code: 0\\nDuration: \d+\.\d{4} seconds\\nOutput:\\nhi\\n/,
  );
});

test("a command of the user's during a turn is shown with the turn's next request", async () => {
  await using codex = await startTestCodex({
    model: [calls("shell", { command: ["sleep", "0.5"] }), says("Seen.")],
  });
  codex.submit({ type: "user_input", items: text("go") });
  await codex.until("exec_command_begin");

  codex.submit({ type: "run_user_shell_command", command: "echo beside" });
  await codex.until("task_complete");

  expect(JSON.stringify(codex.prompts[1]?.input.at(-1))).toContain("echo beside");
});

test("of an ephemeral session nothing is written", async () => {
  await using codex = await startTestCodex({ model: [says("Hi.")], configure: false });
  codex.submit({ type: "configure_session", ephemeral: true }, "");
  const { msg } = await codex.until("session_configured");

  await codex.turn({ type: "user_input", items: text("hi") });
  codex.submit({ type: "get_path" });
  const error = await codex.until("error");

  expect(msg.rollout_path).toBe("");
  expect(error.msg.message).toBe("This conversation is not recorded in a file, so it has no path");
});
