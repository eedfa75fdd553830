import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { calls, says } from "../../support/model.js";
import { untilGone } from "../../support/processes.js";
import { hasTmux, startTerminal, type TestTerminal } from "../../support/terminal.js";

/** Starts a turn that waits for a command; returns the processes of both. */
async function startCommand() {
  const cmd = "echo $$ $PPID > pids.txt; sleep 600";
  const model = [calls("exec_command", { cmd, yield_time_ms: 30_000 }), says("Done.")];
  const config = 'approval_policy = "never"\nsandbox_mode = "danger-full-access"';
  const terminal = await startTerminal({ model, config });
  await terminal.until("Describe a task");
  await terminal.type("go");
  await terminal.keys("Enter");
  await terminal.until("Running");
  const file = join(terminal.workspace, "pids.txt");
  await expect.poll(() => existsSync(file) && readFile(file, "utf8")).toMatch(/^\d+ \d+\n/);
  const [command = 0, program = 0] = (await readFile(file, "utf8")).split(" ").map(Number);
  return { terminal, command, program };
}

/** Checks that every line of the session's log can be parsed. */
async function expectWholeLog({ home }: TestTerminal): Promise<void> {
  const files = await readdir(join(home, "sessions"), { recursive: true });
  const log = files.find((name) => name.endsWith(".jsonl")) ?? "";
  const lines = (await readFile(join(home, "sessions", log), "utf8")).split("\n");
  expect(lines.pop()).toBe("");
  for (const line of lines) expect(() => JSON.parse(line)).not.toThrow();
}

describe.skipIf(!(await hasTmux()) || process.platform !== "linux")("abrupt termination", () => {
  test.each(["SIGTERM", "SIGHUP"] as const)(
    "%s ends what runs, and gives the terminal back",
    async (signal) => {
      const { terminal, command, program } = await startCommand();
      await using _ = terminal;

      process.kill(program, signal);

      await terminal.until("ended with 130");
      await untilGone([program, command]);
      await expectWholeLog(terminal);
      // A terminal that echoes input has been released.
      await terminal.type("echo");
      await terminal.until((screen) => screen.trimEnd().endsWith("echo"));
    },
  );

  test("closing the terminal ends running commands", async () => {
    const { terminal, command, program } = await startCommand();
    await using _ = terminal;

    await terminal.tmux("kill-server");

    await untilGone([program, command]);
    await expectWholeLog(terminal);
  });
});
