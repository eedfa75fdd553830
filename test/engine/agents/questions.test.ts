import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { agentCall, spawn, wait } from "../../support/agents.js";
import { startTestCodex } from "../../support/codex.js";
import { calls, says } from "../../support/model.js";

const model = "gpt-6-sol";

test("an agent below an agent asks the client of the root, and gets its answer", async () => {
  await using codex = await startTestCodex({
    config: { model, approval_policy: "untrusted", sandbox_mode: "workspace-write" },
    model: {
      answers: [[spawn("worker")], wait, says("done")],
      agents: {
        "/root/worker": [[spawn("deeper")], wait, says("it is made")],
        "/root/worker/deeper": [
          calls("exec_command", { cmd: "touch made", login: false }, "deep"),
          says("made it"),
        ],
      },
    },
  });
  codex.submit({ type: "user_input", items: [{ type: "text", text: "use helpers" }] });
  const { thread_id, agent_path, msg } = await codex.until("exec_approval_request");
  codex.submit({ type: "exec_approval", id: msg.call_id, decision: "approved" });
  await codex.until("task_complete");

  const [configured] = codex.events.filter(({ msg }) => msg.type === "session_configured");
  expect(thread_id).not.toBe(configured?.thread_id);
  expect(agent_path).toBe("/root/worker/deeper");
  expect(existsSync(join(codex.workspace, "made"))).toBe(true);
});

test("an answer to a question that no agent asked is an error", async () => {
  await using codex = await startTestCodex({
    config: { model },
    model: { answers: [[agentCall("list_agents", {})], says("done")] },
  });
  await codex.turn({ type: "user_input", items: [{ type: "text", text: "who is there" }] });
  codex.submit({ type: "exec_approval", id: "nothing", decision: "approved" });

  const { msg } = await codex.until("error");
  expect(msg.message).toContain("nothing");
});
