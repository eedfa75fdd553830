import { join } from "node:path";
import { expect, test } from "vitest";
import { readTrustRoot } from "../../../src/project/index.js";
import { temporaryFolder } from "../temporary-folder.js";
import { makeRepository } from "./make-repository.js";

test("outside a repository there is no root", async () => {
  await using folder = await temporaryFolder();

  expect(await readTrustRoot(folder.path)).toBeUndefined();
});

test("a linked work tree is covered by the repository it belongs to", async () => {
  await using repo = await makeRepository();
  await repo.git("worktree", "add", "-q", "../tree", "-b", "side");
  await repo.folder.write({ "tree/deep/er/": "" });

  expect(await readTrustRoot(join(repo.folder.path, "tree/deep/er"))).toBe(repo.path);
  expect(await readTrustRoot(repo.path)).toBe(repo.path);
});

test("a folder is not covered by a repository that does not know of it", async () => {
  await using repo = await makeRepository();
  await repo.git("worktree", "add", "-q", "../tree", "-b", "side");
  const gitDir = join(repo.path, ".git");
  await repo.folder.write({
    "claims-all/.git": `gitdir: ${gitDir}\n`,
    "claims-tree/.git": `gitdir: ${gitDir}/worktrees/tree\n`,
    "says-itself/.git/HEAD": "ref: refs/heads/main\n",
    "says-itself/.git/commondir": gitDir,
    "says-itself/.git/gitdir": join(repo.folder.path, "says-itself/.git"),
  });

  for (const name of ["claims-all", "claims-tree", "says-itself"]) {
    expect(await readTrustRoot(join(repo.folder.path, name))).toBe(join(repo.folder.path, name));
  }
});
