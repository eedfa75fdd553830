import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { startTestCodex, type TestCodex, text } from "../../support/codex.js";
import { calls, says } from "../../support/model.js";

const cmd = "shopt -q login_shell && echo login || echo plain; greet";

function startCodex(turns: number, features: Record<string, boolean> = {}): Promise<TestCodex> {
  const turn = (n: number) => [
    calls("exec_command", { cmd, shell: "/bin/bash" }, `call ${n}`),
    says("Done."),
  ];
  return startTestCodex({
    model: Array.from({ length: turns }, (_, n) => turn(n)).flat(),
    config: { features },
  });
}

/** Runs the command in a turn; returns its begin event and its output. */
async function runCommand(codex: TestCodex): Promise<{ command: string[]; text: string }> {
  const events = await codex.turn({ type: "user_input", items: text("go") });
  const begin = events.find((msg) => msg.type === "exec_command_begin");
  const end = events.find((msg) => msg.type === "exec_command_end");
  return { command: begin?.command ?? [], text: end?.aggregated_output ?? "" };
}

test("commands do not read the user's start-up files again once that makes no difference", async () => {
  const turns = 500;
  await using codex = await startCodex(turns);
  writeFileSync(join(dirname(codex.home), ".profile"), "greet() { echo hello; }\n");

  const first = await runCommand(codex);
  let last = first;
  for (let n = 1; n < turns && last.text === first.text; n++) last = await runCommand(codex);

  const command = ["/bin/bash", "-lc", cmd];
  expect(first).toEqual({ command, text: "login\nhello\n" });
  expect(last).toEqual({ command, text: "plain\nhello\n" });
});

test("a setting makes commands read the files each time", async () => {
  const turns = 20;
  await using codex = await startCodex(turns, { shell_snapshot: false });
  writeFileSync(join(dirname(codex.home), ".profile"), "greet() { echo hello; }\n");

  const told: string[] = [];
  for (let n = 0; n < turns; n++) told.push((await runCommand(codex)).text);

  expect(new Set(told)).toEqual(new Set(["login\nhello\n"]));
});
