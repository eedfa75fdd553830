import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  createWorktree,
  hasWork,
  listWorktrees,
  removeIfClean,
} from "../../src/project/worktree.js";

/** A repository with one commit, whose hooks and filters would leave a file `ran`. */
function makeRepository({ commits = true } = {}) {
  const root = mkdtempSync(join(tmpdir(), "quire-worktree-"));
  const [home, cwd] = [join(root, "home"), join(root, "project")];
  for (const path of [home, cwd, join(cwd, "deep")]) mkdirSync(path, { recursive: true });
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], { cwd })
      .toString()
      .trim();
  git("init", "-q", "-b", "main");
  writeFileSync(join(cwd, "deep", "file.txt"), "one\n");
  writeFileSync(join(cwd, ".gitattributes"), "*.txt filter=bad\n");
  if (commits) {
    git("add", ".");
    git("commit", "-qm", "first");
  }
  const hook = join(cwd, ".git", "hooks", "post-checkout");
  writeFileSync(hook, `#!/bin/sh\ntouch ${root}/ran\n`, { mode: 0o755 });
  git("config", "filter.bad.smudge", `touch ${root}/ran; cat`);
  const place = { cwd: join(cwd, "deep"), home, env: process.env };
  return {
    root,
    git,
    place,
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }),
  };
}

test("a worktree is registered with git, has the files and a branch, and runs no program", async () => {
  using made = makeRepository();
  const tree = await createWorktree(made.place, "tests");

  expect(tree.branch).toBe("quire/tests");
  expect(tree.cwd).toBe(join(tree.path, "deep"));
  expect(existsSync(join(tree.cwd, "file.txt"))).toBe(true);
  expect(made.git("worktree", "list")).toContain(`${tree.path} `);
  expect(made.git("-C", tree.path, "status", "--porcelain", "-b")).toBe("## quire/tests");
  expect(existsSync(join(made.root, "ran"))).toBe(false);
  expect(await listWorktrees(made.place.home)).toEqual([
    { path: tree.path, branch: "quire/tests" },
  ]);
});

test("a name that is taken gets a number", async () => {
  using made = makeRepository();
  const names = [];
  for (let n = 0; n < 2; n++) names.push((await createWorktree(made.place, "a")).branch);
  made.git("branch", "quire/b");

  expect(names).toEqual(["quire/a", "quire/a-2"]);
  expect((await createWorktree(made.place, "b")).branch).toBe("quire/b-2");
});

test("a worktree without changes is removed with its branch", async () => {
  using made = makeRepository();
  const tree = await createWorktree(made.place, "a");

  expect(await hasWork(tree, made.place)).toBe(false);
  expect(await removeIfClean(tree, made.place)).toBe(true);
  expect(existsSync(tree.path)).toBe(false);
  expect(made.git("branch", "--list", "quire/*")).toBe("");
  expect(made.git("worktree", "list").split("\n")).toHaveLength(1);
});

test("one with changes stays, and a branch with commits stays", async () => {
  using made = makeRepository();
  const dirty = await createWorktree(made.place, "dirty");
  writeFileSync(join(dirty.path, "new.txt"), "x");
  const ahead = await createWorktree(made.place, "ahead");
  made.git("-C", ahead.path, "commit", "-q", "--allow-empty", "-m", "more");

  expect(await hasWork(ahead, made.place)).toBe(true);
  expect([await removeIfClean(dirty, made.place), await removeIfClean(ahead, made.place)]).toEqual([
    false,
    true,
  ]);
  expect(existsSync(join(dirty.path, "new.txt"))).toBe(true);
  expect(made.git("branch", "--list", "quire/ahead")).toContain("quire/ahead");
});

test.each([
  ["a name with a path", "../x", {}, "Expected a worktree name"],
  ["a repository without a commit", "a", { commits: false }, "has no commit"],
])("%s is refused", async (_, name, options, text) => {
  using made = makeRepository(options);

  await expect(createWorktree(made.place, name)).rejects.toThrow(text);
});

test("a folder without a repository is refused", async () => {
  using made = makeRepository();
  const place = { ...made.place, cwd: made.root };

  await expect(createWorktree(place, "a")).rejects.toThrow("is not in a git repository");
});
