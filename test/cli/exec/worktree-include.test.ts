import { execFileSync } from "node:child_process";
import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makePlace } from "../../support/exec.js";
import { calls, says } from "../../support/model.js";

test("what rules deny is not copied to a worktree", async () => {
  await using place = await makePlace([calls("exec_command", { cmd: "cat *.env" }), says("ok")], {
    git: false,
  });
  const at = (name: string) => join(place.workspace, name);
  const git = (...args: string[]) => execFileSync("git", args, { cwd: place.workspace });
  git("init", "-q", "-b", "main");
  git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "--allow-empty", "-m", "first");
  writeFileSync(at(".worktreeinclude"), "*.env\n");
  writeFileSync(at("secret.env"), "hush\n");
  writeFileSync(at("open.env"), "fine\n");
  appendFileSync(
    join(place.home, "config.toml"),
    `[permissions.work]
extends = ":workspace"
[permissions.work.filesystem]
${JSON.stringify(at("secret.env"))} = "deny"
`,
  );

  const { stderr, code } = await place.run("quire", [
    "exec",
    ...["-c", 'default_permissions="work"'],
    ...["--worktree", "fix", "go"],
  ]);

  expect(code).toBe(0);
  expect(stderr).toContain("on branch quire/fix, with 1 file of .worktreeinclude");
  const sent = JSON.stringify(place.model.requests);
  expect(sent).not.toContain("hush");
  expect(sent).toContain("fine");
});
