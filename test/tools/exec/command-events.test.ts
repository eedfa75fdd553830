import { expect, test } from "vitest";
import { startTestCodex, text } from "../../support/codex.js";

const asks = {
  era: "0.45",
  model: [
    [{ call: "shell", args: { command: ["touch", "made.txt"] }, call_id: "c1" }],
    [{ message: "Done." }],
  ],
  config: { approval_policy: "untrusted" },
} as const;

test.each([
  ["approved", 0, ""],
  ["denied", -1, "exec command rejected by user"],
] as const)(
  "a call begins before the user is asked and ends once: %s",
  async (decision, exit_code, stderr) => {
    await using codex = await startTestCodex(asks);
    const id = codex.submit({ type: "user_input", items: text("go") });
    await codex.until("exec_approval_request");

    codex.submit({ type: "exec_approval", id: "c1", decision });
    await codex.until("task_complete");

    const emitted = codex.events.filter(
      (event) => event.id === id && event.msg.type.startsWith("exec_"),
    );
    expect(emitted.map(({ msg }) => msg.type)).toEqual([
      "exec_command_begin",
      "exec_approval_request",
      "exec_command_end",
    ]);
    expect(emitted.at(-1)?.msg).toMatchObject({ call_id: "c1", exit_code, stderr });
  },
);
