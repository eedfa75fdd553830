import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { GitWorkspaces } from "../../../src/fleet/worker/git/git-workspaces.js";
import { outcomeUnknown } from "../../../src/protocol/lost-items.js";
import { makesCalls, TestFleet } from "./fleet.js";

const threadId = "019a0000-0000-7000-8000-00000000000a";
let folder: string;
let repository: string;

const git = (cwd: string, ...args: string[]) =>
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], { cwd })
    .toString()
    .trim();

/** A worker's own folder; two of them stand for two machines. */
function machine(name: string): GitWorkspaces {
  const root = join(folder, name);
  mkdirSync(root, { recursive: true });
  return new GitWorkspaces({ root, repository, env: { PATH: process.env.PATH, HOME: folder } });
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "quire-git-"));
  repository = join(folder, "origin.git");
  const draft = join(folder, "draft");
  mkdirSync(draft);
  git(draft, "init", "-q", "-b", "main");
  writeFileSync(join(draft, "tracked.txt"), "one\n");
  writeFileSync(join(draft, "gone.txt"), "x\n");
  writeFileSync(join(draft, ".gitignore"), "ignored\n");
  mkdirSync(join(draft, "sub"));
  writeFileSync(join(draft, "sub", "file"), "");
  git(draft, "add", "-A");
  git(draft, "commit", "-qm", "start");
  git(folder, "clone", "-q", "--bare", "draft", "origin.git");
});

afterEach(() => rm(folder, { recursive: true, force: true }));

test("the next worker has commits and changes that are not committed, but no ignored files", async () => {
  const [one, two] = [machine("one"), machine("two")];
  await Promise.all([one.prepare(), two.prepare()]);
  const first = await one.open(threadId, 1);
  const tree = one.folderOf(threadId);
  writeFileSync(join(tree, "committed.txt"), "c\n");
  git(tree, "add", "committed.txt");
  git(tree, "commit", "-qm", "own commit");
  writeFileSync(join(tree, "tracked.txt"), "two\n");
  writeFileSync(join(tree, "new.txt"), "n\n");
  writeFileSync(join(tree, "ignored"), "i\n");
  await rm(join(tree, "gone.txt"));
  await first.save?.();

  await two.open(threadId, 2);

  const other = two.folderOf(threadId);
  expect(readFileSync(join(other, "tracked.txt"), "utf8")).toBe("two\n");
  expect(
    git(other, "status", "--porcelain")
      .split("\n")
      .map((line) => line.trim()),
  ).toEqual(["D gone.txt", "M tracked.txt", "?? new.txt"]);
  expect(git(other, "log", "-1", "--format=%s")).toBe("own commit");
  expect(git(other, "symbolic-ref", "--short", "HEAD")).toBe(`quire/${threadId}`);
  expect(existsSync(join(other, "ignored"))).toBe(false);
});

test("a worker that has lost a thread stores nothing more of it", async () => {
  const [one, two] = [machine("one"), machine("two")];
  await Promise.all([one.prepare(), two.prepare()]);
  const first = await one.open(threadId, 1);
  writeFileSync(join(one.folderOf(threadId), "a"), "1");
  await first.save?.();
  const second = await two.open(threadId, 2);
  writeFileSync(join(two.folderOf(threadId), "b"), "2");
  await second.save?.();
  writeFileSync(join(one.folderOf(threadId), "c"), "3");

  await expect(first.save?.()).rejects.toThrow("Another worker has stored a snapshot");

  const files = git(repository, "ls-tree", "--name-only", `refs/quire-fleet/${threadId}`).split(
    "\n",
  );
  expect(files).toEqual([".gitignore", "a", "b", "gone.txt", "sub", "tracked.txt"]);
});

test("a second owner on the same machine has its own worktree; the first one writes elsewhere", async () => {
  const one = machine("one");
  await one.prepare();
  const first = await one.open(threadId, 1);
  const tree = one.folderOf(threadId);
  writeFileSync(join(tree, "a"), "1");
  await first.save?.();
  writeFileSync(join(tree, "not-saved"), "1");

  const second = await one.open(threadId, 2);

  expect((await readdir(tree)).sort()).toEqual([
    ".git",
    ".gitignore",
    "a",
    "gone.txt",
    "sub",
    "tracked.txt",
  ]);
  expect([first.isHeld, second.isHeld]).toEqual([false, true]);
});

test("a thread that was left properly finds its worktree as it was", async () => {
  const one = machine("one");
  await one.prepare();
  const first = await one.open(threadId, 1);
  writeFileSync(join(one.folderOf(threadId), "ignored"), "i");
  await first.leave?.();
  first.release();

  await one.open(threadId, 2);

  expect(existsSync(join(one.folderOf(threadId), "ignored"))).toBe(true);
});

test("folders of clients are those of the worktree", async () => {
  const one = machine("one");
  await one.prepare();
  await one.open(threadId, 1);
  const tree = one.folderOf(threadId);

  expect(one.withFolder(threadId, { type: "configure_session" }).cwd).toBe(tree);
  expect(one.place(threadId, join(one.root, "sub"))).toBe(join(tree, "sub"));
  expect(one.place(threadId, join(tree, "sub"))).toBe(join(tree, "sub"));
  expect(() => one.place(threadId, "/etc")).toThrow("must be below the workspace root");
  expect(() => one.place(threadId, join(one.root, "nothing"))).toThrow("does not exist");
});

test("a deleted thread leaves nothing", async () => {
  const one = machine("one");
  await one.prepare();
  const first = await one.open(threadId, 1);
  writeFileSync(join(one.folderOf(threadId), "a"), "1");
  await first.leave?.();

  await one.forget(threadId);

  expect(await readdir(one.root)).toEqual([".quire-fleet"]);
  expect((await readdir(one.folder)).sort()).toEqual(["mirror.git", "old"]);
  expect(git(repository, "for-each-ref", "refs/quire-fleet")).toBe("");
});

test.each([
  ["does not exist", () => join(folder, "nowhere.git"), "cannot be read"],
  [
    "is empty",
    () => {
      git(folder, "init", "-q", "--bare", "empty.git");
      return join(folder, "empty.git");
    },
    "has no commit",
  ],
])("a repository that %s is refused", async (_, create, message) => {
  repository = create();

  await expect(machine("one").prepare()).rejects.toThrow(message);
});

test("a folder that has worktrees of another repository is refused, one of a wrong address is not", async () => {
  const right = repository;
  repository = join(folder, "nowhere.git");
  await expect(machine("one").prepare()).rejects.toThrow("cannot be read");
  repository = right;
  await machine("one").prepare();
  git(folder, "clone", "-q", "--bare", right, "other.git");
  repository = join(folder, "other.git");

  await expect(machine("one").prepare()).rejects.toThrow(
    `has worktrees of ${right}, not of ${repository}`,
  );
});

test("a turn continues on another machine with the files of the commands that are done", async () => {
  const write = (id: string, command: string) => ({
    call: "shell_command",
    args: { command },
    call_id: id,
  });
  await using fleet = await TestFleet.start({
    answer: makesCalls(
      write("a", "echo a > a.txt"),
      write("b", "touch started; while [ ! -e go ]; do sleep 0.02; done"),
      write("c", "cat a.txt > c.txt"),
    ),
    config: { sandbox_mode: "danger-full-access" },
  });
  const [one, two] = [machine("one"), machine("two")];
  await Promise.all([one.prepare(), two.prepare()]);
  const first = await fleet.addWorker("w1", { workspaces: one });
  const id = await fleet.startThread({ cwd: undefined });
  const turn = await fleet.say(id, "go");
  await fleet.when(() => existsSync(join(one.folderOf(id), "started")));
  const second = await fleet.addWorker("w2", { workspaces: two });

  await fleet.kill(first);
  await fleet.untilEnd(id, turn);

  expect(readFileSync(join(two.folderOf(id), "c.txt"), "utf8")).toBe("a\n");
  expect(existsSync(join(two.folderOf(id), "started"))).toBe(false);
  expect(JSON.stringify(second.prompts.at(-1)?.input)).toContain(outcomeUnknown);
});
