import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import type { InputItem } from "../../src/protocol/types.js";
import { startTestCodex, text } from "../support/codex.js";
import { says } from "../support/model.js";

const marked: InputItem[] = [
  {
    type: "text",
    text: "Grüße an ",
    text_elements: [{ byte_range: { start: 0, end: 7 }, placeholder: "hi" }],
  },
  {
    type: "text",
    text: "@notes",
    text_elements: [{ byte_range: { start: 0, end: 6 }, placeholder: null }],
  },
  { type: "mention", name: "notes", path: "docs/notes.md" },
];

test("[documents D3] the echo of a message has the user's text elements, and so has the log", async () => {
  await using codex = await startTestCodex({ model: [says("Hello."), says("Again.")] });

  const events = await codex.turn({ type: "user_input", items: marked });
  codex.submit({ type: "get_path" });
  const { path } = (await codex.until("conversation_path")).msg;
  codex.submit({ type: "configure_session", resume_path: path }, "resume");
  const resumed = await codex.until("session_configured");

  const echo = {
    type: "user_message",
    message: "Grüße an @notes",
    kind: "plain",
    text_elements: [
      { byte_range: { start: 0, end: 7 }, placeholder: "hi" },
      { byte_range: { start: 11, end: 17 }, placeholder: null },
    ],
    mentions: [{ type: "mention", name: "notes", path: "docs/notes.md" }],
  };
  expect(events.find(({ type }) => type === "user_message")).toEqual(echo);
  expect(resumed.msg.initial_messages?.find(({ type }) => type === "user_message")).toMatchObject(
    echo,
  );
  expect(await readFile(path, "utf8")).toContain('"text_elements"');
});

test("[documents D5] a turn reports its collaboration mode", async () => {
  await using codex = await startTestCodex({ model: [says("One."), says("Two.")] });

  const [first] = await codex.turn({ type: "user_turn", items: text("work") });
  const collaboration_mode = { mode: "plan" as const, settings: { model: "mock-model" } };
  const [second] = await codex.turn({
    type: "user_turn",
    items: text("plan"),
    collaboration_mode,
  });

  expect(first).toMatchObject({ type: "task_started", collaboration_mode_kind: "default" });
  expect(second).toMatchObject({ type: "task_started", collaboration_mode_kind: "plan" });
});

test("[documents D9] the model gets the user's mentions; unusable ones cause a warning", async () => {
  await using codex = await startTestCodex({ model: [says("Hello.")] });

  const events = await codex.turn({
    type: "user_input",
    items: [
      ...text("look"),
      { type: "mention", name: "Calendar", path: "app://cal_1" },
      { type: "mention", name: "notes", path: "docs/notes.md" },
    ],
  });

  const last = codex.prompts[0]?.input.at(-1);
  expect(last).toMatchObject({ role: "developer" });
  expect(JSON.stringify(last)).toContain("- Calendar: app://cal_1\\n- notes: docs/notes.md");
  expect(events.flatMap((msg) => (msg.type === "warning" ? [msg.message] : []))).toEqual([
    expect.stringContaining('"Calendar" (app://cal_1) cannot be used here'),
  ]);
});
