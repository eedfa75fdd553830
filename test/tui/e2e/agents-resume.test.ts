import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { agentCall, spawn, wait } from "../../support/agents.js";
import { calls, says } from "../../support/model.js";
import { hasTmux, startTerminal } from "../../support/terminal.js";

describe.skipIf(!(await hasTmux()) || process.platform !== "linux")("a killed terminal", () => {
  test("resumes with its agents: the lost one is reported, and can continue", async () => {
    const cmd = "echo $PPID >> pids; exec sleep 600";
    const endless = calls("exec_command", { cmd, login: false, yield_time_ms: 20_000 });
    await using terminal = await startTerminal({
      columns: 100,
      rows: 30,
      args: ["-m", "gpt-6-sol"],
      config: `approval_policy = "never"
sandbox_mode = "danger-full-access"
features.code_mode = false`,
      model: {
        answers: [
          [spawn("writer")],
          wait,
          [agentCall("followup_task", { target: "writer", message: "continue" })],
          wait,
          says("All done."),
        ],
        agents: { "*": [endless, says("Continued.")] },
      },
    });
    const pids = join(terminal.workspace, "pids");
    await terminal.until("Describe a task");
    await terminal.type("use a helper");
    await terminal.keys("Enter");
    await terminal.until(/\/root\/writer working/);
    await expect.poll(() => existsSync(pids) && readFileSync(pids, "utf8")).toMatch(/^\d+\n$/);
    process.kill(Number(readFileSync(pids, "utf8")), "SIGKILL");
    await terminal.until("ended with 137");

    await terminal.restart("resume", "--last", "-m", "gpt-6-sol");
    await terminal.until(/use a helper[\s\S]*Describe a task/);
    await terminal.type("go on");
    await terminal.keys("Enter");
    await terminal.until("All done.");

    const request = JSON.stringify(terminal.model.requests.at(-1)?.body);
    expect(request.split("their last turn is lost: /root/writer.")).toHaveLength(2);
    expect(request).toContain("Continued.");
    expect(readFileSync(pids, "utf8").trim().split("\n")).toHaveLength(1);
    await terminal.type("/agents ");
    await terminal.keys("Enter");
    await terminal.until(/1\. \/root\/writer +completed/);
  });
});
