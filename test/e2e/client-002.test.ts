import { expect, test } from "vitest";
import { calls, says } from "../support/model.js";
import { type Program, startProgram } from "../support/program.js";
import { type QueueEvent, queueClient } from "../support/queue-client.js";

/** A client that follows document 002: every task starts with `user_input`. */
const client = (program: Program) => queueClient(program);

const input = (text: string, more: object = {}) => ({
  type: "user_input",
  items: [{ type: "text", text }],
  ...more,
});

const patch = "*** Begin Patch\n*** Add File: made.txt\n+made\n*** End Patch";

test("[documents 002] the basic flow: one input, an approved command, a patch and an answer", async () => {
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

  const policies = {
    approval_policy: "on-request",
    sandbox_policy: { mode: "workspace-write" },
  };
  submit("conf", { type: "configure_session", ...policies });
  await until("conf", "session_configured");
  submit("t", input("do both"));
  const asked = await until("t", "exec_approval_request");
  submit("yes", { type: "exec_approval", id: asked.msg.call_id, decision: "Allow" });
  const ended = await until("t", "task_complete");

  const steps = [
    "task_started",
    "exec_approval_request",
    "exec_command_begin",
    "exec_command_end",
    "patch_apply_begin",
    "patch_apply_end",
    "agent_message",
    "task_complete",
  ];
  expect(typesOf("t", ...steps)).toEqual(steps);
  expect(ended.msg).toMatchObject({
    last_agent_message: "Both done.",
    response_id: expect.any(String),
  });
});

test("[documents 002] an interrupted task is continued by an input with its last_response_id", async () => {
  const wait = { command: ["sleep", "60"] };
  await using program = await startProgram({
    args: ["proto", "--events", "all"],
    model: [
      calls("shell", { command: ["echo", "one"] }),
      calls("shell", wait, "c2"),
      calls("shell", { command: ["echo", "three"] }, "c3"),
      says("Went on."),
    ],
  });
  const { submit, until, typesOf } = client(program);

  submit("conf", { type: "configure_session" });
  await until("conf", "session_configured");
  submit("one", input("work"));
  await program.until<QueueEvent>(
    ({ msg }) => msg.type === "exec_command_begin" && msg.call_id === "c2",
  );
  submit("stop", { type: "interrupt" });
  const aborted = await until("one", "turn_aborted");
  const last_response_id = aborted.msg.response_id;
  submit("two", input("go on", { last_response_id }));
  const ended = await until("two", "task_complete");

  expect(aborted.msg).toMatchObject({ reason: "interrupted", response_id: expect.any(String) });
  expect(ended.msg.last_agent_message).toBe("Went on.");
  expect(typesOf("two", "step_complete")).toHaveLength(2);
  const sent = JSON.stringify(program.model.requests[2]?.body);
  expect(sent).toContain("work");
  expect(sent).toContain("go on");
});

test("[documents 002] a second input aborts the task, if the client asks for this rule", async () => {
  await using program = await startProgram({
    args: ["proto"],
    model: [calls("shell", { command: ["sleep", "60"] }), says("The second.")],
  });
  const { submit, until } = client(program);

  submit("conf", { type: "configure_session", on_input: "replace" });
  await until("conf", "session_configured");
  submit("one", input("first"));
  await until("one", "exec_command_begin");
  submit("two", input("second"));
  const aborted = await until("one", "turn_aborted");
  const ended = await until("two", "task_complete");

  expect(aborted.msg.reason).toBe("replaced");
  expect(ended.msg.last_agent_message).toBe("The second.");
});
