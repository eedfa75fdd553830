import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { calls, says } from "../support/model.js";
import { type Program, startProgram } from "../support/program.js";
import { type QueueEvent, queueClient } from "../support/queue-client.js";

/** A client that knows document 001; it reads `turn_*` and `task_*` as the same. */
const client = (program: Program) =>
  queueClient(program, (type) => type.replace(/^task_(?=started|complete)/, "turn_"));

const turn = (text: string, more: object = {}) => ({
  type: "user_turn",
  items: [{ type: "text", text }],
  ...more,
});

const patch = "*** Begin Patch\n*** Add File: made.txt\n+made\n*** End Patch";

test("[documents 001] the basic flow, as the program is started by default", async () => {
  await using program = await startProgram({
    args: ["proto"],
    model: [
      calls("shell", {
        command: ["bash", "-c", "echo hi > said; cat said"],
        with_escalated_permissions: true,
      }),
      [{ apply_patch: patch, call_id: "p1" }],
      says("Both done."),
    ],
  });
  const { submit, until, typesOf } = client(program);

  submit("conf", {
    type: "configure_session",
    approval_policy: "on-request",
    sandbox_policy: { mode: "workspace-write" },
  });
  await until("conf", "session_configured");
  submit("t", turn("do both"));
  const started = await until("t", "turn_started");
  const asked = await until("t", "exec_approval_request");
  submit("yes", { type: "exec_approval", id: asked.msg.call_id, decision: "allow" });
  const ended = await until("t", "turn_complete");

  const steps = [
    "turn_started",
    "exec_approval_request",
    "exec_command_begin",
    "exec_command_end",
    "patch_apply_begin",
    "patch_apply_end",
    "agent_message_content_delta",
    "agent_message",
    "turn_complete",
  ];
  expect(typesOf("t", ...steps)).toEqual(steps);
  expect(started.msg).toMatchObject({
    model_context_window: expect.any(Number),
    collaboration_mode_kind: "default",
  });
  expect(ended.msg.response_id).toEqual(expect.any(String));
});

test("[documents 001] an interrupted task is continued from its bookmark, in this and in a later session", async () => {
  const model = [
    calls("shell", { command: ["echo", "one"] }),
    calls("shell", { command: ["sleep", "60"] }, "c2"),
    calls("shell", { command: ["echo", "three"] }, "c3"),
    says("Went on."),
    says("And later."),
  ];
  await using program = await startProgram({ args: ["proto"], model });
  const { submit, until } = client(program);

  submit("one", turn("work"));
  await program.until<QueueEvent>(
    ({ msg }) => msg.type === "exec_command_begin" && msg.call_id === "c2",
  );
  submit("stop", { type: "interrupt" });
  const aborted = await until("one", "turn_aborted");
  const last_response_id = aborted.msg.response_id;
  submit("two", turn("go on", { last_response_id }));
  const resumed = await until("two", "turn_complete");
  await using another = await startProgram({
    args: ["proto"],
    env: { CODEX_HOME: program.home }, // its config names the model of the first
  });
  const second = client(another);
  const bookmark = { last_response_id: resumed.msg.response_id };
  second.submit("three", turn("and later", bookmark));
  const later = await second.until("three", "turn_complete");

  expect(aborted.msg.reason).toBe("interrupted");
  expect(resumed.msg.last_agent_message).toBe("Went on.");
  expect(JSON.stringify(program.model.requests[2]?.body)).toContain("work");
  expect(later.msg.last_agent_message).toBe("And later.");
  expect(JSON.stringify(program.model.requests[4]?.body)).toContain("Went on.");
});

test("[documents 001] the model asks the user, who answers", async () => {
  const option = { label: "Yes", description: "Go on." };
  const question = { id: "q", header: "Go", question: "Go on?", options: [option] };
  await using program = await startProgram({
    args: ["proto"],
    model: [calls("request_user_input", { questions: [question] }), says("Then I go on.")],
  });
  const { submit, until } = client(program);

  submit("t", turn("ask me"));
  const asked = await until("t", "request_user_input");
  const response = { answers: { q: { answers: ["Yes"] } } };
  submit("a", { type: "user_input_answer", id: asked.msg.call_id, response });
  const ended = await until("t", "turn_complete");

  expect(asked.msg.questions).toMatchObject([{ id: "q", isOther: true, options: [option] }]);
  expect(ended.msg.last_agent_message).toBe("Then I go on.");
  expect(JSON.stringify(program.model.requests[1]?.body)).toContain("Yes");
});

test("[documents 001] skills are listed and selected, apps mentioned, elements marked, the tone chosen", async () => {
  await using program = await startProgram({ args: ["proto"], model: [says("Hello.")] });
  const { submit, until } = client(program);
  const folder = join(program.home, "skills", "greet");
  await mkdir(folder, { recursive: true });
  const path = join(folder, "SKILL.md");
  await writeFile(path, "---\nname: greet\ndescription: Greets people.\n---\nGreet warmly.\n");

  submit("skills", { type: "list_skills", cwds: [program.workspace], force_reload: true });
  const listed = await until("skills", "list_skills_response");
  const text_elements = [{ byte_range: { start: 0, end: 5 }, placeholder: "hi" }];
  submit("t", {
    type: "user_turn",
    personality: "friendly",
    items: [
      { type: "text", text: "greet them", text_elements },
      { type: "skill", name: "greet", path },
      { type: "mention", name: "Calendar", path: "app://cal" },
    ],
  });
  const echo = await until("t", "user_message");
  await until("t", "warning");
  await until("t", "turn_complete");

  expect(JSON.stringify(listed.msg)).toContain('"greet"');
  expect(echo.msg).toMatchObject({
    text_elements,
    mentions: [{ name: "greet" }, { name: "Calendar" }],
  });
  const sent = JSON.stringify(program.model.requests[0]?.body);
  expect(sent).toContain("Greet warmly.");
  expect(sent).toContain("app://cal");
});
