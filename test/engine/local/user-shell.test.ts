import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { userShellPath } from "../../../src/engine/local/user-shell.js";
import { startTestCodex, text } from "../../support/codex.js";
import { calls, says } from "../../support/model.js";

const hasProfile = /\/(bash|zsh)$/.test(userShellPath());

test.runIf(hasProfile).each([
  [true, "from the profile\n"],
  [false, "\n"],
])("commands run after the user's start-up file when asked to: %j", async (asked, stdout) => {
  const command = ["bash", "-lc", 'echo "$GREETING"'];
  const policy = { experimental_use_profile: asked };
  await using codex = await startTestCodex({
    model: [calls("shell", { command }), says("Done.")],
    config: { shell_environment_policy: policy },
  });
  for (const name of [".bashrc", ".zshrc"]) {
    writeFileSync(join(dirname(codex.home), name), 'GREETING="from the profile"\n');
  }

  const events = await codex.turn({ type: "user_input", items: text("go") });

  const told = events.filter(({ type }) => /^exec_command_(begin|end)$/.test(type));
  expect(told).toMatchObject([
    { type: "exec_command_begin", command },
    { type: "exec_command_end", stdout, exit_code: 0 },
  ]);
});
