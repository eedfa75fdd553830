import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { spawn, wait } from "../../support/agents.js";
import { calls, says } from "../../support/model.js";
import { hasTmux, startTerminal } from "../../support/terminal.js";

describe.skipIf(!(await hasTmux()))("helper agents in the terminal", () => {
  test("each has a line, its approvals are asked, and /agents shows what it did", async () => {
    await using terminal = await startTerminal({
      columns: 100,
      rows: 30,
      args: ["-m", "gpt-6-sol"],
      config: `approval_policy = "untrusted"
sandbox_mode = "danger-full-access"
features.code_mode = false`,
      model: {
        answers: [[spawn("writer"), spawn("sleeper")], wait, wait, says("All done.")],
        agents: {
          "/root/writer": [
            calls("exec_command", { cmd: "touch made", login: false }),
            says("It is written."),
          ],
          "/root/sleeper": [
            calls("exec_command", { cmd: "cat gate", login: false, yield_time_ms: 30_000 }),
            says("Awake."),
          ],
        },
      },
    });
    await terminal.until("Describe a task");
    const gate = join(terminal.workspace, "gate");
    execFileSync("mkfifo", [gate]);
    await terminal.type("use helpers");
    await terminal.keys("Enter");

    const asked = await terminal.until("/root/writer: ");
    expect(asked).toMatch(/◆ \/root\/writer waiting \([\d.]+s\)/);
    expect(asked).toMatch(/[◦●] \/root\/sleeper working \([\d.]+s\)/);
    await terminal.keys("y");
    await writeFile(gate, "");
    await terminal.until("All done.");
    expect(existsSync(join(terminal.workspace, "made"))).toBe(true);

    await terminal.type("/agents ");
    await terminal.keys("Enter");
    await terminal.until(/1\. \/root\/writer +completed[\s\S]*2\. \/root\/sleeper +completed/);
    await terminal.keys("Enter");
    const shown = await terminal.until("It is written.");
    expect(shown).toContain("touch made");
  });
});
