import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findGit, runGit } from "../../../src/project/git/program.js";
import { temporaryFolder } from "../temporary-folder.js";

const shell = { program: "/bin/sh", cwd: "/", env: { PATH: process.env.PATH } };

/** Writes a program called `git` and returns its folder. */
function writeGit(folder: string, script = "exit 0"): string {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "git"), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, "git"), 0o755);
  return folder;
}

test("finds git in PATH, outside of folders to avoid", async () => {
  await using folder = await temporaryFolder();
  const project = writeGit(join(folder.path, "project/bin"));
  const system = writeGit(join(folder.path, "system"));
  const avoid = [join(folder.path, "project")];

  expect(await findGit(`${project}:${system}`, avoid)).toBe(join(system, "git"));
  expect(await findGit(`${project}:${system}`, [])).toBe(join(project, "git"));
  expect(await findGit(project, avoid)).toBeUndefined();
  expect(await findGit(undefined, [])).toBeUndefined();
});

test("a link into an avoided folder, a relative folder and a plain file do not count", async () => {
  await using folder = await temporaryFolder();
  const project = writeGit(join(folder.path, "project"));
  const linked = join(folder.path, "linked");
  mkdirSync(linked);
  symlinkSync(join(project, "git"), join(linked, "git"));
  const plain = join(folder.path, "plain");
  mkdirSync(plain);
  writeFileSync(join(plain, "git"), "");

  expect(await findGit(`${linked}:bin:${plain}`, [project])).toBeUndefined();
});

/** A `git` that runs its last argument in a shell. */
async function run(script: string, options: Parameters<typeof runGit>[2] = {}) {
  await using folder = await temporaryFolder();
  const dir = writeGit(folder.path, 'eval "$3"');
  return await runGit({ ...shell, program: join(dir, "git") }, [script], options);
}

test("returns the exit code and the output", async () => {
  const output = await run("echo out; echo err >&2; exit 3");

  expect(output).toMatchObject({ code: 3, complete: true });
  expect(output?.stdout.toString()).toBe("out\n");
});

test("can capture standard error and pass input", async () => {
  const output = await run("cat; echo err >&2", { input: "in ", withErrors: true });

  expect(output?.stdout.toString()).toBe("in err\n");
});

test("output over the limit ends the run and is marked incomplete", async () => {
  const output = await run("while :; do echo xxxxxxxxxx; done", { maxBytes: 1_000 });

  expect(output?.complete).toBe(false);
  expect(output?.stdout.length).toBeGreaterThan(1_000);
});

test("a run that takes too long, is killed or cannot start has no output", async () => {
  expect(await run("sleep 60", { timeoutMs: 50 })).toBeUndefined();
  expect(await run("kill -KILL $$")).toBeUndefined();
  expect(await runGit({ ...shell, program: "/nonexistent/git" }, [])).toBeUndefined();
});
