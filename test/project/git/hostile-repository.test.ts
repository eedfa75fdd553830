import { execFile } from "node:child_process";
import { appendFile, chmod, mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { gitApply } from "../../../src/cli/commands/apply.js";
import { readDiffToRemote, readRecentCommits } from "../../../src/project/index.js";
import { addRemote, makeRepository, type TestRepository } from "./make-repository.js";

const run = promisify(execFile);

test("[security H3] a bare repository planted in the folder is not used, however its config changes", async () => {
  await using repo = await hostile();
  const sub = join(repo.path, "sub");
  await run("git", ["init", "-q", "--bare", sub]);
  await repo.folder.write({ "repo/sub/.gitattributes": "* filter=e\n", "repo/sub/x.txt": "x\n" });
  const planted = join(sub, "config");
  const plain = await readFile(planted, "utf8");
  const armed = `${plain}${repo.traps}\tworktree = ${sub}\n`;
  let isDone = false;
  const flipping = (async () => {
    for (let n = 0; !isDone; n++) await writeFile(planted, n % 2 === 0 ? armed : plain);
  })();

  for (let n = 0; n < 8; n++) {
    const found = await readDiffToRemote({ ...repo.place, cwd: sub });
    expect(found?.diff).toContain("+++ b/");
    expect(await readRecentCommits({ ...repo.place, cwd: sub }, 1)).toHaveLength(1);
  }
  isDone = true;
  await flipping;

  expect(await readdir(repo.marks)).toEqual([]);
});

test("[security H3] a repository whose own config changes during the calls starts nothing", async () => {
  await using repo = await hostile();
  const path = join(repo.path, ".git/config");
  const plain = await readFile(path, "utf8");
  let isDone = false;
  const flipping = (async () => {
    for (let n = 0; !isDone; n++) await writeFile(path, n % 2 === 0 ? plain + repo.traps : plain);
  })();

  for (let n = 0; n < 8; n++) await readDiffToRemote(repo.place);
  isDone = true;
  await flipping;

  expect(await readdir(repo.marks)).toEqual([]);
});

test("[security H3] filters of the user's own settings are not started either", async () => {
  await using repo = await hostile();
  const home = join(repo.folder.path, "user");
  await repo.folder.write({ "user/.gitconfig": repo.traps, "user/.config/git/config": repo.traps });

  const found = await readDiffToRemote({ ...repo.place, env: { ...process.env, HOME: home } });

  expect(found?.diff).toContain("+changed");
  expect(await readdir(repo.marks)).toEqual([]);
});

test("[security H3] the user's ignore rules and line endings still count", async () => {
  await using repo = await hostile();
  const home = join(repo.folder.path, "user");
  const rules = join(repo.folder.path, "my ignores");
  await repo.folder.write({
    "my ignores": "*.log\n",
    "user/.gitconfig": `[core]\n\texcludesFile = "${rules}"\n`,
    "repo/noise.log": "noise\n",
  });

  const found = await readDiffToRemote({ ...repo.place, env: { ...process.env, HOME: home } });

  expect(found?.diff).toContain("+changed");
  expect(found?.diff).not.toContain("noise");
});

test("[security H3] a linked work tree is compared by its own branch, and starts nothing", async () => {
  await using repo = await hostile();
  await repo.git("worktree", "add", "-q", "-b", "side", "../side");
  await repo.folder.write({ "side/a.txt": "in the side tree\n" });
  await appendFile(join(repo.path, ".git/config"), repo.traps);

  const found = await readDiffToRemote({ ...repo.place, cwd: join(repo.folder.path, "side") });

  expect(found?.diff).toContain("+in the side tree");
  expect(await readdir(repo.marks)).toEqual([]);
});

test("[security H3] a `.git` that links elsewhere and names a work tree shows its own folder only", async () => {
  await using repo = await hostile();
  await repo.folder.write({ "secret/key.txt": "s3cret\n" });
  await appendFile(
    join(repo.path, ".git/config"),
    `[core]\n\tworktree = ${join(repo.folder.path, "secret")}\n`,
  );

  const found = await readDiffToRemote(repo.place);

  expect(found?.diff).not.toContain("s3cret");
  expect(found?.diff).toContain("+changed");
});

test("[security H3] applying a diff starts no filter, hook, monitor or merge program", async () => {
  await using repo = await hostile();
  await repo.git("checkout", "-q", "--", ".");
  await appendFile(join(repo.path, ".git/config"), repo.traps);
  await mkdir(join(repo.path, ".git/hooks"), { recursive: true });
  for (const hook of ["post-index-change", "post-checkout", "applypatch-msg"]) {
    const path = join(repo.path, ".git/hooks", hook);
    await symlink(join(repo.folder.path, "trap.sh"), path);
  }
  const diff = [
    "diff --git a/a.txt b/a.txt",
    "index 85c3040..0bad73a 100644",
    "--- a/a.txt",
    "+++ b/a.txt",
    "@@ -1,3 +1,3 @@",
    " alpha",
    "-beta",
    "+BETA",
    " gamma",
  ].join("\n");

  const applied = await gitApply(diff, { ...repo.place, cwd: join(repo.path, "sub") });

  expect(applied).toMatchObject({ isApplied: true });
  expect(await readFile(join(repo.path, "a.txt"), "utf8")).toBe("alpha\nBETA\ngamma\n");
  expect(await readdir(repo.marks)).toEqual([]);
  await repo.git("status").catch(() => undefined);
  expect(await readdir(repo.marks), "the traps work").not.toEqual([]);
});

test("[security H3] temporary files of a call are removed after it", async () => {
  await using repo = await hostile();

  await readDiffToRemote(repo.place);

  expect(await readdir(join(repo.place.home, "tmp"))).toEqual([]);
});

/** A repository with a change in it, and settings that would start a program for anything git does. */
async function hostile(): Promise<TestRepository & { marks: string; traps: string; place: Place }> {
  const repo = await makeRepository();
  const { folder } = repo;
  const marks = join(folder.path, "marks");
  await folder.write({
    "marks/": "",
    "trap.sh": `#!/bin/sh\ntouch "${marks}/trap-$1"\nexit 1\n`,
    "repo/.gitattributes": "* filter=e diff=e merge=e\n",
    "repo/sub/inner.txt": "inner\n",
  });
  await chmod(join(folder.path, "trap.sh"), 0o755);
  await repo.commit("Name drivers");
  await addRemote(repo);
  await folder.write({ "repo/a.txt": "changed\n", "repo/sub/new.txt": "new\n" });
  const trap = (name: string) => `${folder.path}/trap.sh ${name}`;
  const traps = [
    "",
    `[filter "e"]\n\tclean = ${trap("clean")}\n\tsmudge = ${trap("smudge")}`,
    `\tprocess = ${trap("process")}\n\trequired = true`,
    `[diff "e"]\n\tcommand = ${trap("command")}\n\ttextconv = ${trap("textconv")}`,
    `[merge "e"]\n\tdriver = ${trap("merge")}`,
    `[diff]\n\texternal = ${trap("external")}`,
    `[alias]\n\tlog = !${trap("alias")}\n\tapply = !${trap("alias")}`,
    `[credential]\n\thelper = !${trap("credential")}`,
    `[gpg]\n\tprogram = ${trap("gpg")}\n[log]\n\tshowSignature = true`,
    `[core]\n\tsshCommand = ${trap("ssh")}\n\tpager = ${trap("pager")}`,
    `\thooksPath = ${folder.path}\n\tfsmonitor = ${trap("fsmonitor")}\n`,
  ].join("\n");
  const place = { cwd: repo.path, env: process.env, home: join(folder.path, "home") };
  return { ...repo, marks, traps, place };
}

interface Place {
  cwd: string;
  env: NodeJS.ProcessEnv;
  home: string;
}
