import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startTestCodex, type TestCodex, text } from "../../support/codex.js";
import { calls, hangs, says } from "../../support/model.js";

const input = (words: string) => ({ type: "user_input" as const, items: text(words) });
const turn = (words: string) => ({ type: "user_turn" as const, items: text(words) });

const ops = [
  ["user_input", input],
  ["user_turn", turn],
] as const;

/** A task whose command waits until a file is there. */
const waiting = calls("shell", {
  command: ["bash", "-c", "until [ -e go ]; do sleep 0.02; done"],
});

function endsOf(codex: TestCodex): [string, string][] {
  return codex.events.flatMap(({ id, msg }): [string, string][] =>
    msg.type === "task_complete" || msg.type === "turn_aborted" ? [[id, msg.type]] : [],
  );
}

async function startWith(on_input: "join" | "replace" | "queue", model: object[][]) {
  const codex = await startTestCodex({ configure: false, model: model as never });
  codex.submit({ type: "configure_session", on_input }, "");
  await codex.until("session_configured");
  return codex;
}

test.each(ops)("[documents D2] with on_input `replace` a new %s ends the task", async (_, op) => {
  await using codex = await startWith("replace", [hangs(says("half")), says("Anew.")]);

  codex.submit(op("first"), "a");
  await codex.until("agent_message_delta");
  codex.submit(op("second"), "b");
  await codex.until("task_complete");

  expect(endsOf(codex)).toEqual([
    ["a", "turn_aborted"],
    ["b", "task_complete"],
  ]);
});

test.each(ops)("[documents D2] with on_input `join` a new %s joins the task", async (_, op) => {
  await using codex = await startWith("join", [waiting, says("Both.")]);

  codex.submit(op("first"), "a");
  await codex.until("exec_command_begin");
  codex.submit(op("second"), "b");
  codex.submit({ type: "get_path" });
  await codex.until("conversation_path");
  await mkdir(join(codex.workspace, "go"));
  await codex.until("task_complete");

  expect(endsOf(codex)).toEqual([["a", "task_complete"]]);
  expect(JSON.stringify(codex.prompts[1]?.input)).toContain("second");
});

test.each(ops)("[documents D2] with on_input `queue` a new %s is the next task", async (_, op) => {
  await using codex = await startWith("queue", [
    waiting,
    says("One."),
    says("Two."),
    says("Three."),
  ]);

  codex.submit(op("first"), "a");
  await codex.until("exec_command_begin");
  codex.submit(op("second"), "b");
  codex.submit(op("third"), "c");
  codex.submit({ type: "get_path" });
  await codex.until("conversation_path");
  await mkdir(join(codex.workspace, "go"));
  for (let task = 0; task < 3; task++) await codex.until("task_complete");

  expect(endsOf(codex)).toEqual([
    ["a", "task_complete"],
    ["b", "task_complete"],
    ["c", "task_complete"],
  ]);
  expect(JSON.stringify(codex.prompts[1]?.input)).not.toContain('"second"');
  expect(JSON.stringify(codex.prompts[3]?.input)).toContain("Two.");
});

test("a turn with `active_turn_id` joins that turn or waits, and its items carry the client's ids", async () => {
  const model = [waiting, says("Both."), says("Last.")];
  await using codex = await startTestCodex({ model, items: true });
  const named = (words: string, active_turn_id: string | null) => ({
    ...turn(words),
    client_id: `of ${words}`,
    active_turn_id,
  });

  codex.submit(named("first", null), "a");
  const { turn_id = "" } = await codex.until("exec_command_begin");
  codex.submit(named("second", turn_id), "b");
  codex.submit(named("third", "another"), "c");
  codex.submit({ type: "get_path" });
  await codex.until("conversation_path");
  await mkdir(join(codex.workspace, "go"));
  for (let task = 0; task < 2; task++) await codex.until("task_complete");

  expect(endsOf(codex)).toEqual([
    ["a", "task_complete"],
    ["c", "task_complete"],
  ]);
  const ids = codex.events.flatMap(({ id, msg }) =>
    msg.type === "item_completed" && msg.item.type === "UserMessage"
      ? [[id, msg.item.client_id]]
      : [],
  );
  expect(ids).toEqual([
    ["a", "of first"],
    ["a", "of second"],
    ["c", "of third"],
  ]);
});

test("[documents D2] an interrupt also aborts queued input, each under its id", async () => {
  await using codex = await startWith("queue", [hangs(says("half"))]);

  codex.submit(input("first"), "a");
  await codex.until("agent_message_delta");
  codex.submit(input("second"), "b");
  codex.submit({ type: "interrupt" });
  await codex.until("turn_aborted");
  await codex.until("turn_aborted");

  expect(endsOf(codex)).toEqual([
    ["a", "turn_aborted"],
    ["b", "turn_aborted"],
  ]);
});

test("[documents D15] a relative folder is taken from the server's own", async () => {
  await using codex = await startTestCodex({
    model: [calls("shell", { command: ["pwd"] }), says("Done.")],
  });
  await mkdir(join(codex.workspace, "sub"));

  const events = await codex.turn({ ...turn("go"), cwd: "sub" });

  expect(events.find(({ type }) => type === "exec_command_end")).toMatchObject({
    stdout: `${join(codex.workspace, "sub")}\n`,
  });
});
