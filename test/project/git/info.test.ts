import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readGitInfo } from "../../../src/project/index.js";
import { temporaryFolder } from "../temporary-folder.js";
import { makeRepository } from "./make-repository.js";

test("returns undefined outside a repository", async () => {
  await using folder = await temporaryFolder();

  expect(await readGitInfo(folder.path)).toBeUndefined();
});

test("returns branch, commit and URL, also in a subfolder", async () => {
  await using repo = await makeRepository();
  await repo.git("remote", "add", "origin", "https://example.com/a.git");
  const below = join(repo.path, "x/y");
  await mkdir(below, { recursive: true });

  expect(await readGitInfo(below)).toEqual({
    commit_hash: await repo.git("rev-parse", "HEAD"),
    branch: "main",
    repository_url: "https://example.com/a.git",
  });
});

test("a branch that git has packed away is found", async () => {
  await using repo = await makeRepository();
  await repo.git("checkout", "-q", "-b", "a/b");
  await repo.git("pack-refs", "--all");

  expect(await readGitInfo(repo.path)).toEqual({
    commit_hash: await repo.git("rev-parse", "HEAD"),
    branch: "a/b",
  });
});

test("a commit without a branch has no branch", async () => {
  await using repo = await makeRepository();
  const commit_hash = await repo.git("rev-parse", "HEAD");
  await repo.git("checkout", "-q", commit_hash);

  expect(await readGitInfo(repo.path)).toEqual({ commit_hash });
});

test("a repository without a commit is one about which nothing is known", async () => {
  await using folder = await temporaryFolder();
  await folder.write({ ".git/HEAD": "ref: refs/heads/main\n" });

  expect(await readGitInfo(folder.path)).toEqual({});
});

test("a linked work tree has its own branch and shares the address", async () => {
  await using repo = await makeRepository();
  await repo.git("remote", "add", "origin", "git@example.com:a.git");
  await repo.git("worktree", "add", "-q", "../tree", "-b", "side");

  expect(await readGitInfo(join(repo.folder.path, "tree"))).toEqual({
    commit_hash: await repo.git("rev-parse", "HEAD"),
    branch: "side",
    repository_url: "git@example.com:a.git",
  });
});

test("credentials are removed from the URL", async () => {
  await using repo = await makeRepository();
  await repo.git("remote", "add", "origin", "https://me:s3cret@example.com/a.git");

  expect((await readGitInfo(repo.path))?.repository_url).toBe("https://example.com/a.git");
});

test.each([
  ["a link that leads nowhere", { ".git": "gitdir: /nowhere/at/all\n" }],
  ["a file of something else", { ".git": "hello" }],
  ["an empty folder", { ".git/": "" }],
])("%s in the place of .git is no repository", async (_what, files) => {
  await using folder = await temporaryFolder();
  await folder.write(files);

  expect(await readGitInfo(folder.path)).toBeUndefined();
});

test("names that lead out of the repository or in circles are not followed", async () => {
  await using folder = await temporaryFolder();
  await folder.write({ ".git/HEAD": "ref: refs/../../secret\n", secret: "0".repeat(40) });
  await using circle = await temporaryFolder();
  await circle.write({
    ".git/HEAD": "ref: refs/heads/a\n",
    ".git/refs/heads/a": "ref: refs/heads/a\n",
  });

  expect(await readGitInfo(folder.path)).toEqual({});
  expect(await readGitInfo(circle.path)).toEqual({});
});
