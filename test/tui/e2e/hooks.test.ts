import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { calls, says } from "../../support/model.js";
import { hasTmux, startTerminal } from "../../support/terminal.js";

describe.skipIf(!(await hasTmux()))("hooks in the terminal", () => {
  test("a hook that is trusted with /hooks blocks a command of the next turn", async () => {
    await using terminal = await startTerminal({
      columns: 80,
      rows: 24,
      config: `approval_policy = "never"
sandbox_mode = "danger-full-access"
hooks.PreToolUse = [{ matcher = "Bash", hooks = [{ type = "command", command = "echo no >&2; exit 2" }] }]`,
      model: [calls("exec_command", { cmd: "touch made" }), says("Done.")],
    });
    await terminal.until(/⚠ These hooks are not trusted and do not run:[\s\S]*Describe a task/);

    await terminal.type("/hooks ");
    await terminal.keys("Enter");
    await terminal.until("1. PreToolUse Bash  untrusted · user · echo no >&2; exit 2");
    await terminal.keys("Enter");
    await terminal.until("1. Trust it as it is now");
    await terminal.keys("Enter");
    await terminal.until("1. PreToolUse Bash  trusted");
    await terminal.keys("Escape");
    await terminal.until("Describe a task");
    await terminal.type("go");
    await terminal.keys("Enter");

    await terminal.until(/⚠ PreToolUse hook blocked: no\n.*config\.toml\n[\s\S]*• Done\./);
    expect(existsSync(join(terminal.workspace, "made"))).toBe(false);
  });
});
