import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Script } from "../../../src/model/scripted/index.js";
import { makePlace } from "../../support/exec.js";
import { calls, says } from "../../support/model.js";

const runs = (command: string) => calls("exec_command", { cmd: command });

/** A place whose workspace is a repository with one commit. */
async function makeRepository(script: Script) {
  const place = await makePlace(script, { git: false });
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], {
      cwd: place.workspace,
    });
  git("init", "-q", "-b", "main");
  git("commit", "-q", "--allow-empty", "-m", "first");
  const exec = (...args: string[]) =>
    place.run("quire", ["exec", "-s", "danger-full-access", ...args]);
  const lastRequest = () => JSON.stringify(place.model.requests.at(-1));
  return { place, exec, lastRequest, [Symbol.asyncDispose]: () => place[Symbol.asyncDispose]() };
}

test("--last finds the session of a worktree, and continues in it", async () => {
  await using repository = await makeRepository([
    runs("touch made"),
    says("one"),
    runs("touch more"),
    says("two"),
  ]);
  const { place, exec, lastRequest } = repository;

  const first = await exec("--worktree", "fix", "first task");
  const worktree = /Working in (\S+) on branch quire\/fix/.exec(first.stderr)?.[1] ?? "";
  const second = await exec("resume", "--last", "second task");

  expect(second).toMatchObject({ stdout: "two\n", code: 0 });
  expect(second.stderr).toContain(`Working in ${worktree}, as this session did before`);
  expect(lastRequest()).toContain("first task");
  expect(existsSync(join(worktree, "more"))).toBe(true);
  expect(existsSync(join(place.workspace, "more"))).toBe(false);
});

test("--last finds the session of a worktree that is removed, and continues here", async () => {
  await using repository = await makeRepository([says("one"), runs("touch made"), says("two")]);
  const { place, exec, lastRequest } = repository;

  await exec("--worktree", "fix", "first task");
  const second = await exec("resume", "--last", "second task");

  expect(second).toMatchObject({ stdout: "two\n", code: 0 });
  expect(lastRequest()).toContain("first task");
  expect(existsSync(join(place.workspace, "made"))).toBe(true);
});

test("--last in a new worktree finds the last session of the repository", async () => {
  await using repository = await makeRepository([says("one"), runs("touch made"), says("two")]);
  const { place, exec, lastRequest } = repository;

  await exec("first task");
  const second = await exec("resume", "--worktree", "fix", "--last", "second task");

  expect(second).toMatchObject({ stdout: "two\n", code: 0 });
  expect(lastRequest()).toContain("first task");
  expect(existsSync(join(place.workspace, "made"))).toBe(false);
});

test("--last does not find sessions of worktrees of other repositories", async () => {
  await using other = await makeRepository([runs("touch made"), says("one")]);
  await using repository = await makeRepository([]);
  await other.exec("--worktree", "fix", "first task");

  const env = { CODEX_HOME: other.place.home };
  const second = await repository.place.run("quire", ["exec", "resume", "--last", "go"], { env });

  expect(second.code).toBe(2);
  expect(second.stderr).toContain(`No saved session of ${repository.place.workspace} to resume`);
});
