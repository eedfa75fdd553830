import { join } from "node:path";
import { expect, test } from "vitest";
import { findRepository, readGitFile } from "../../../src/project/git/repository.js";
import { temporaryFolder } from "../temporary-folder.js";

const head = "ref: refs/heads/main\n";

test("finds the repository of a folder and of its subfolders", async () => {
  await using folder = await temporaryFolder();
  await folder.write({ "repo/.git/HEAD": head, "repo/a/b/": "" });
  const workTree = join(folder.path, "repo");
  const found = { workTree, gitDir: join(workTree, ".git"), commonDir: join(workTree, ".git") };

  expect(findRepository(workTree)).toEqual(found);
  expect(findRepository(join(workTree, "a/b"))).toEqual(found);
});

test("a linked work tree has a separate git directory and shares the common one", async () => {
  await using folder = await temporaryFolder();
  await folder.write({
    "repo/.git/HEAD": head,
    "repo/.git/worktrees/w/HEAD": head,
    "repo/.git/worktrees/w/commondir": "../..\n",
    "linked/.git": `gitdir: ${join(folder.path, "repo/.git/worktrees/w")}\n`,
  });

  const found = findRepository(join(folder.path, "linked"));

  expect(found?.gitDir).toBe(join(folder.path, "repo/.git/worktrees/w"));
  expect(found?.commonDir).toBe(join(folder.path, "repo/.git"));
});

test("a relative link is resolved from its folder", async () => {
  await using folder = await temporaryFolder();
  await folder.write({ "modules/m/HEAD": head, "m/.git": "gitdir: ../modules/m\n" });

  expect(findRepository(join(folder.path, "m"))?.gitDir).toBe(join(folder.path, "modules/m"));
});

test("a broken link ends the search, as in git", async () => {
  await using folder = await temporaryFolder();
  await folder.write({ ".git/HEAD": head, "sub/.git": "gitdir: /nonexistent\n" });

  expect(findRepository(join(folder.path, "sub"))).toBeUndefined();
});

test("a `.git` without HEAD or link is skipped", async () => {
  await using folder = await temporaryFolder();
  await folder.write({ ".git/HEAD": head, "sub/.git/": "", "other/.git": "text" });

  expect(findRepository(join(folder.path, "sub"))?.workTree).toBe(folder.path);
  expect(findRepository(join(folder.path, "other"))?.workTree).toBe(folder.path);
});

test("files that cannot be read are undefined, and long ones are cut", async () => {
  await using folder = await temporaryFolder();
  await folder.write({ file: "0123456789" });

  expect(readGitFile(join(folder.path, "none"))).toBeUndefined();
  expect(readGitFile(folder.path)).toBeUndefined();
  expect(readGitFile(join(folder.path, "file"), 4)).toBe("0123");
});
