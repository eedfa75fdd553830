import { execFileSync } from "node:child_process";
import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
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

test("what rules deny in the workspace stays denied to a session in a worktree of it", async () => {
  const script = [
    calls("exec_command", { cmd: "cat $ORIGIN/deep/secret.env; ls -d ." }),
    says("ok"),
  ];
  await using place = await makePlace(script, { git: false });
  const deep = join(place.workspace, "deep");
  mkdirSync(deep);
  writeFileSync(join(deep, "secret.env"), "hush\n");
  writeFileSync(join(deep, "open"), "fine\n");
  const git = (...args: string[]) => execFileSync("git", args, { cwd: place.workspace });
  git("init", "-q", "-b", "main");
  git("add", "deep/open");
  git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", "first");
  appendFileSync(
    join(place.home, "config.toml"),
    `[permissions.work]
extends = ":workspace"
[permissions.work.filesystem.":workspace_roots"]
"*.env" = "deny"
[shell_environment_policy.set]
ORIGIN = ${JSON.stringify(place.workspace)}
`,
  );

  const profile = ["-c", 'default_permissions="work"'];
  const inWorktree = ["-C", deep, "--worktree", "fix"];
  const { code } = await place.run("quire", ["exec", ...profile, ...inWorktree, "go"]);

  expect(code).toBe(0);
  const sent = JSON.stringify(place.model.requests);
  expect(sent).toContain("deep/secret.env: Permission denied");
  expect(sent).not.toContain("hush");
});
