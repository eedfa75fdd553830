import { userInfo } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Step } from "../../../src/model/scripted/index.js";
import type { EventMsg } from "../../../src/protocol/types.js";
import {
  startTestCodex,
  type TestCodex,
  type TestCodexOptions,
  text,
} from "../../support/codex.js";
import { says } from "../../support/model.js";

/** An engine whose model has a built-in shell, which it calls once. */
function startWith(call: Step, options: TestCodexOptions = {}): Promise<TestCodex> {
  const config = { model: "codex-mini-latest", ...options.config };
  return startTestCodex({
    ...options,
    config,
    model: [[{ call_id: "c1", ...call }], says("Done.")],
  });
}

const go = { type: "user_input" as const, items: text("go") };

function endOf(events: readonly EventMsg[]) {
  return events.find((msg) => msg.type === "exec_command_end");
}

function outputOf(codex: TestCodex): string {
  return JSON.stringify(codex.prompts[1]?.input.at(-1));
}

test("[documents D4] the built-in shell sets variables for its command", async () => {
  const script = ["bash", "-c", "echo $FOO"];
  await using codex = await startWith({ local_shell: script, env: { FOO: "a b" } });

  const events = await codex.turn(go);

  expect(endOf(events)).toMatchObject({ stdout: "a b\n", exit_code: 0 });
  expect(events.find(({ type }) => type === "exec_command_begin")).toMatchObject({
    command: ["env", "FOO=a b", ...script],
  });
});

test("[documents D4] a name that is no variable's is refused", async () => {
  await using codex = await startWith({ local_shell: ["true"], env: { "-S": "x" } });

  const events = await codex.turn(go);

  expect(endOf(events)).toBeUndefined();
  expect(outputOf(codex)).toContain("is not the name of a variable");
});

test.each(["timeout", "timeout_ms"])("[documents D4] `%s` ends the command", async (name) => {
  await using codex = await startWith({ local_shell: ["sleep", "60"], [name]: 100 } as Step);

  await codex.turn(go);

  expect(outputOf(codex)).toContain("timed out");
});

test("[documents D4] the command runs in `working_directory`", async () => {
  await using codex = await startWith({ local_shell: ["pwd"], working_directory: ".." });

  const events = await codex.turn(go);

  expect(endOf(events)).toMatchObject({ stdout: `${join(codex.workspace, "..")}\n` });
});

test("[documents D4] the user is asked when the command is to leave the sandbox", async () => {
  await using codex = await startWith(
    {
      local_shell: ["touch", "made"],
      with_escalated_permissions: true,
      justification: "It must be there.",
    },
    { config: { approval_policy: "on-request", sandbox_mode: "read-only" } },
  );

  const id = codex.submit(go);
  const { msg } = await codex.until("exec_approval_request");
  codex.submit({ type: "exec_approval", id: msg.call_id, decision: "approved" });
  await codex.until("task_complete");

  expect(msg).toMatchObject({ command: ["touch", "made"], reason: "It must be there." });
  const events = codex.events.filter((event) => event.id === id).map((event) => event.msg);
  expect(endOf(events)).toMatchObject({ exit_code: 0 });
});

test("[documents D4] a command runs as no other user than the current one", async () => {
  await using other = await startWith({ local_shell: ["id"], user: "somebody-else" });
  await using same = await startWith({ local_shell: ["true"], user: userInfo().username });

  const refused = await other.turn(go);
  const ran = await same.turn(go);

  expect(endOf(refused)).toBeUndefined();
  expect(outputOf(other)).toContain("commands run only as");
  expect(endOf(ran)).toMatchObject({ exit_code: 0 });
});
