import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { nameSelf } from "../../src/lib/lock-holder.js";
import { findRepository } from "../../src/project/index.js";
import {
  readWorktrees,
  removeDeleted,
  removeKept,
  useWorktree,
} from "../../src/project/kept-worktrees.js";
import { createWorktree } from "../../src/project/worktree.js";

function makeRepository() {
  const root = mkdtempSync(join(tmpdir(), "quire-kept-"));
  const [home, cwd] = [join(root, "home"), join(root, "project")];
  for (const path of [home, cwd]) mkdirSync(path);
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], { cwd })
      .toString()
      .trim();
  git("init", "-q", "-b", "main");
  git("commit", "-q", "--allow-empty", "-m", "first");
  const place = { cwd, home, env: process.env };
  return { git, place, [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }) };
}

test("a worktree in which another process works is in use, and is not removed by force", async () => {
  using made = makeRepository();
  const created = await createWorktree(made.place, "a");
  const other = spawn("sleep", ["60"]);
  const gitDir = findRepository(created.path)?.gitDir ?? "";
  const holder = nameSelf().replace(/^\d+ \S+/, `${other.pid} -`);
  writeFileSync(join(gitDir, "quire-session-1"), holder);
  useWorktree(created)();

  const [used] = await readWorktrees(made.place);
  expect(used).toMatchObject({ name: "a", isUsed: true, isDirty: false });
  if (used !== undefined) {
    await expect(removeKept(used, made.place, { force: true })).rejects.toThrow(/works in it/);
  }

  other.kill("SIGKILL");
  await once(other, "exit");
  expect(await readWorktrees(made.place)).toMatchObject([{ isUsed: false }]);
});

test("what is listed of a worktree that was deleted by hand is removed, commits are not", async () => {
  using made = makeRepository();
  const [empty, ahead] = [
    await createWorktree(made.place, "empty"),
    await createWorktree(made.place, "ahead"),
  ];
  made.git("-C", ahead.path, "commit", "-q", "--allow-empty", "-m", "work");
  for (const { path } of [empty, ahead]) rmSync(path, { recursive: true });

  expect(await removeDeleted(made.place, { isDryRun: true })).toHaveLength(2);
  expect(await removeDeleted(made.place)).toHaveLength(2);

  expect(made.git("worktree", "list").split("\n")).toHaveLength(1);
  expect(made.git("branch", "--format=%(refname:short)").split("\n")).toEqual([
    "main",
    "quire/ahead",
  ]);
  const again = await createWorktree(made.place, "empty", { exact: true });
  expect(await readWorktrees(made.place)).toMatchObject([{ path: again.path }]);
});

test("a worktree with a detached HEAD is listed, and stays for its commits", async () => {
  using made = makeRepository();
  const [ahead, clean] = [
    await createWorktree(made.place, "ahead"),
    await createWorktree(made.place, "clean"),
  ];
  for (const { path } of [ahead, clean]) made.git("-C", path, "checkout", "-q", "--detach");
  made.git("-C", ahead.path, "commit", "-q", "--allow-empty", "-m", "work");

  const found = await readWorktrees(made.place);
  expect(found).toMatchObject([
    { name: "ahead", branch: "quire/ahead", isDirty: false, isAhead: true },
    { name: "clean", branch: "quire/clean", isDirty: false, isAhead: false },
  ]);
  for (const one of found) await removeKept(one, made.place).catch(() => {});
  expect(await readWorktrees(made.place)).toMatchObject([{ name: "ahead" }]);
  expect(made.git("branch", "--list", "quire/*", "--format=%(refname:short)")).toBe("quire/ahead");

  rmSync(ahead.path, { recursive: true });
  expect(await removeDeleted(made.place)).toEqual([]);
  expect(made.git("worktree", "list").split("\n")).toHaveLength(2);
});

test("a worktree that was switched to a branch of the user goes without that branch", async () => {
  using made = makeRepository();
  made.git("branch", "mine");
  const { path } = await createWorktree(made.place, "a");
  made.git("-C", path, "switch", "-q", "mine");

  const [one] = await readWorktrees(made.place);
  expect(one).toMatchObject({ name: "a", branch: "mine", isDirty: false, isAhead: false });
  if (one !== undefined) await removeKept(one, made.place);

  expect(made.git("worktree", "list").split("\n")).toHaveLength(1);
  expect(made.git("branch", "--format=%(refname:short)").split("\n")).toEqual(["main", "mine"]);
});

test.each(["x.lock", "a..b", "a.", ".a", "", "../a", "a".repeat(101)])(
  "%j is no name of a worktree",
  async (name) => {
    using made = makeRepository();
    await expect(createWorktree(made.place, name)).rejects.toThrow(/^Expected a worktree name/);
    expect(made.git("branch", "--format=%(refname:short)")).toBe("main");
  },
);
