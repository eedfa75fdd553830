import { execFile } from "node:child_process";
import { appendFile, chmod, readdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { readDiffToRemote, readRecentCommits } from "../../../src/project/index.js";
import { temporaryFolder } from "../temporary-folder.js";
import { addRemote, makeRepository, type TestRepository } from "./make-repository.js";

test("the diff starts at the remote's commit and includes new files", async () => {
  await using repo = await makeRepository();
  await addRemote(repo);
  const sha = await repo.git("rev-parse", "HEAD");
  await repo.folder.write({
    "repo/a.txt": "alpha\nCHANGED\ngamma\n",
    "repo/untracked.txt": "new\n",
    "repo/-": "a dash\n",
  });

  const found = await readDiffToRemote(place(repo));

  expect(found).toEqual({
    sha,
    diff: [
      "diff --git a/a.txt b/a.txt\nindex 85c3040..0bad73a 100644\n--- a/a.txt\n+++ b/a.txt\n",
      "@@ -1,3 +1,3 @@\n alpha\n-beta\n+CHANGED\n gamma\n",
      "diff --git a/./- b/./-\nnew file mode 100644\nindex 0000000..d435813\n--- /dev/null\n+++ b/./-\n",
      "@@ -0,0 +1 @@\n+a dash\n",
      "diff --git a/untracked.txt b/untracked.txt\nnew file mode 100644\nindex 0000000..3e75765\n",
      "--- /dev/null\n+++ b/untracked.txt\n@@ -0,0 +1 @@\n+new\n",
    ].join(""),
  });
});

test("commits that were not pushed are part of the diff", async () => {
  await using repo = await makeRepository();
  await addRemote(repo);
  const pushed = await repo.git("rev-parse", "HEAD");
  await repo.git("checkout", "-q", "-b", "side");
  await repo.folder.write({ "repo/b.txt": "b\n" });
  await repo.commit("Add b");

  const found = await readDiffToRemote(place(repo));

  expect(found?.sha).toBe(pushed);
  expect(found?.diff).toContain("+++ b/b.txt");
});

test("returns undefined without a remote or a repository", async () => {
  await using repo = await makeRepository();
  await using folder = await temporaryFolder();

  expect(await readDiffToRemote(place(repo))).toBeUndefined();
  expect(await readDiffToRemote({ ...place(repo), cwd: folder.path })).toBeUndefined();
});

test("programs that a repository names are not started", async () => {
  await using repo = await makeRepository();
  const marks = join(repo.folder.path, "marks");
  await repo.folder.write({
    "marks/": "",
    "trap.sh": `#!/bin/sh\ntouch "${marks}/$1"\nexit 1\n`,
    "repo/.gitattributes": "*.txt filter=evil diff=evil\n*.bin filter=e=f.g\n",
    "repo/c.bin": "1",
  });
  await chmod(join(repo.folder.path, "trap.sh"), 0o755);
  await repo.commit("Name filters");
  await addRemote(repo);
  const trap = (name: string) => `${repo.folder.path}/trap.sh ${name}`;
  await appendFile(
    join(repo.path, ".git/config"),
    [
      `[filter "evil"]\n\tclean = ${trap("clean")}\n\trequired = true`,
      `[filter "e=f.g"]\n\tprocess = ${trap("process")}\n\trequired = true`,
      `[diff "evil"]\n\tcommand = ${trap("command")}\n\ttextconv = ${trap("textconv")}`,
      `[diff]\n\texternal = ${trap("external")}`,
      `[core]\n\tfsmonitor = ${trap("fsmonitor")}\n\tpager = ${trap("pager")}`,
      `[gpg]\n\tprogram = ${trap("gpg")}\n[log]\n\tshowSignature = true\n`,
    ].join("\n"),
  );
  await repo.folder.write({ "repo/a.txt": "changed\n", "repo/c.bin": "2", "repo/new.txt": "n\n" });

  const found = await readDiffToRemote(place(repo));
  await readRecentCommits(place(repo), 3);

  expect(await readdir(marks)).toEqual([]);
  expect(found?.diff).toContain("+changed\n");
  expect(found?.diff).toContain("+n\n");
  await repo.git("diff", "HEAD").catch(() => undefined);
  expect(await readdir(marks), "the traps work").not.toEqual([]);
});

test("a git that lies in the project or where commands may write is not used", async () => {
  await using repo = await makeRepository();
  await addRemote(repo);
  const fake = `#!/bin/sh\ntouch ${repo.folder.path}/mark\n`;
  await repo.folder.write({ "repo/bin/git": fake, "scratch/bin/git": fake });
  await chmod(join(repo.path, "bin/git"), 0o755);
  await chmod(join(repo.folder.path, "scratch/bin/git"), 0o755);
  await symlink(join(repo.path, "bin"), join(repo.folder.path, "link"));
  const at = (name: string) => join(repo.folder.path, name);
  const bins = [at("repo/bin"), at("link"), "bin", at("scratch/bin"), process.env.PATH];

  const env = { ...process.env, PATH: bins.join(":") };
  const found = await readDiffToRemote({ ...place(repo), env, writableRoots: [at("scratch")] });

  expect(found?.diff).toContain("b/bin/git");
  expect(await readdir(repo.folder.path)).not.toContain("mark");
});

test("pipes and repositories within do not hold the diff up", async () => {
  await using repo = await makeRepository();
  await addRemote(repo);
  await promisify(execFile)("mkfifo", [join(repo.path, "pipe")]);
  await repo.git("init", "-q", "inner");

  expect((await readDiffToRemote(place(repo)))?.diff).toBe("");
});

test("the newest commits come first, as many as asked for", async () => {
  await using repo = await makeRepository();
  const sha = await repo.commit("Second: with | signs");

  const commits = await readRecentCommits(place(repo), 2);

  expect(commits.map(({ subject }) => subject)).toEqual(["Second: with | signs", "Begin"]);
  expect(commits[0]).toEqual({
    sha,
    timestamp: Number(await repo.git("log", "-1", "--format=%ct")),
    subject: "Second: with | signs",
  });
  expect(await readRecentCommits(place(repo), 1)).toHaveLength(1);
});

function place(repo: TestRepository) {
  return { cwd: repo.path, env: process.env, home: join(repo.folder.path, "home") };
}
