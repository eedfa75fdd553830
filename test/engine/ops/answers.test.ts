import { describe, expect, test } from "vitest";
import type { Op } from "../../../src/protocol/types.js";
import { startTestCodex, text } from "../../support/codex.js";
import { calls, says } from "../../support/model.js";

describe("an answer without a pending question", () => {
  test.each<[Op, string]>([
    [
      { type: "exec_approval", id: "c9", decision: "approved" },
      "No command waits for approval as c9",
    ],
    [{ type: "patch_approval", id: "c9", decision: "denied" }, "No patch waits for approval as c9"],
    [
      { type: "user_input_answer", id: "c9", response: { answers: {} } },
      "No question waits for an answer as c9",
    ],
    [
      { type: "request_permissions_response", id: "c9", response: { permissions: {} } },
      "No question about permissions waits for an answer as c9",
    ],
    [
      { type: "dynamic_tool_response", id: "c9", response: { contentItems: [], success: true } },
      "No call of a tool waits for an answer as c9",
    ],
    [
      { type: "resolve_elicitation", server_name: "docs", request_id: 4, decision: "accept" },
      "No question of docs waits for an answer as 4",
    ],
  ])("$type is an error under its id", async (op, message) => {
    await using codex = await startTestCodex();

    codex.submit(op, "late");

    expect(await codex.until("error")).toMatchObject({
      id: "late",
      msg: { type: "error", message },
    });
  });
});

const asks = {
  model: [calls("shell", { command: ["touch", "made.txt"] }), says("Done.")],
  config: { approval_policy: "untrusted" },
};

test.each(["c1", "the submission"])("a command is approved by %s", async (by) => {
  await using codex = await startTestCodex(asks);
  const id = codex.submit({ type: "user_input", items: text("go") });
  await codex.until("exec_approval_request");

  codex.submit({ type: "exec_approval", id: by === "c1" ? "c1" : id, decision: "approved" });
  const { msg } = await codex.until("exec_command_end");

  expect(msg.exit_code).toBe(0);
  await codex.until("task_complete");
});

test("approving for the session makes the next approval of the same command unnecessary", async () => {
  const again = calls("shell", { command: ["touch", "made.txt"] }, "c2");
  await using codex = await startTestCodex({
    ...asks,
    model: [asks.model[0] ?? [], again, says("Done.")],
  });
  codex.submit({ type: "user_input", items: text("go") });
  await codex.until("exec_approval_request");

  codex.submit({ type: "exec_approval", id: "c1", decision: "approved_for_session" });
  await codex.until("task_complete");

  const asked = codex.events.filter(({ msg }) => msg.type === "exec_approval_request");
  const ended = codex.events.filter(({ msg }) => msg.type === "exec_command_end");
  expect([asked.length, ended.length]).toEqual([1, 2]);
});

test("aborting at an approval ends the turn without running the command", async () => {
  await using codex = await startTestCodex(asks);
  const id = codex.submit({ type: "user_input", items: text("go") });
  await codex.until("exec_approval_request");

  codex.submit({ type: "exec_approval", id: "c1", decision: "abort" });
  const aborted = await codex.until("turn_aborted");

  expect(aborted).toMatchObject({ id, msg: { reason: "interrupted" } });
  expect(codex.prompts).toHaveLength(1);
});
