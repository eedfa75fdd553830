import { execFile } from "node:child_process";
import { appendFile, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { findSetting } from "../../../src/project/git/config-file.js";
import { namesPrograms } from "../../../src/project/index.js";
import { addRemote, makeRepository } from "./make-repository.js";

const name = { section: "remote", subsection: "origin", key: "url" };

test.each([
  ["plain", '[remote "origin"]\n\turl = a\n', "a"],
  ["another section first", '[remote "other"]\nurl = b\n[remote "origin"]\nurl = a', "a"],
  ["twice: the first counts", '[remote "origin"]\nurl = a\nurl = b\n', "a"],
  ["letters of any size", '[Remote "origin"]\nURL = a\n', "a"],
  ["a subsection of another size is another one", '[remote "Origin"]\nurl = a\n', undefined],
  ["on the line of the section", '[remote "origin"] url = a\n', "a"],
  ["the old form", "[remote.origin]\nurl = a\n", "a"],
  ["a comment after it", '[remote "origin"]\nurl = a # b\n', "a"],
  ["a comment in its place", '[remote "origin"]\n# url = a\n', undefined],
  ["quotes keep blanks and signs", '[remote "origin"]\nurl = " a # b "\n', " a # b "],
  ["half quoted", '[remote "origin"]\nurl = a" b "c\n', "a b c"],
  ["escapes", '[remote "origin"]\nurl = "a\\"b\\\\c"\n', 'a"b\\c'],
  ["a line that goes on", '[remote "origin"]\nurl = a\\\nb\n', "ab"],
  ["Windows line ends", '[remote "origin"]\r\nurl = a\r\n', "a"],
  ["in a section that has ended", '[remote "origin"]\n[core]\nurl = a\n', undefined],
  ["no section", "url = a\n", undefined],
])("a setting is read: %s", (_what, text, value) => {
  expect(findSetting(text, name)).toBe(value);
});

const run = promisify(execFile);

test("[security H5] a repository as git makes it names no programs", async () => {
  await using repo = await makeRepository();
  await addRemote(repo);
  await repo.git("config", "user.name", "Me");
  await repo.git("branch", "-q", "--set-upstream-to=origin/main");
  await mkdir(join(repo.path, "sub"));

  expect(namesPrograms(repo.path)).toBe(false);
  expect(namesPrograms(join(repo.path, "sub"))).toBe(false);
});

test.each([
  '[core]\n\tfsmonitor = "./x"\n',
  "[core] fsmonitor\n",
  '[CORE]\n\tFsMonitor = "./x"\n',
  "[core]\n\tpager = ./x\n",
  "[core]\n\thooksPath = .\n",
  "[core]\n\tsshCommand = ./x\n",
  '[diff "x"]\n\ttextconv = ./x\n',
  "[diff]\n\texternal = ./x\n",
  '[filter "x"]\n\tclean = ./x\n',
  "[filter.x]\n\tclean = ./x\n",
  "[alias]\n\tstatus = !./x\n",
  "[include]\n\tpath = ../more\n",
  '[includeIf "gitdir:/"]\n\tpath = ../more\n',
  "[gpg]\n\tprogram = ./x\n",
  "[credential]\n\thelper = ./x\n",
  "[core]\n\tworktree = /\n",
  "[extensions]\n\tworktreeConfig = true\n",
  "[core]\n\tignorecase = true ; \\\nfsmonitor = x\n\tfsmonitor = x\n",
  "[something]\n\tnew = 1\n",
])("[security H5] one with %j may name some", async (text) => {
  await using repo = await makeRepository();
  await appendFile(join(repo.path, ".git/config"), text);

  expect(namesPrograms(repo.path)).toBe(true);
});

test("[security H5] a git directory in the folder, and repositories within, may name some", async () => {
  await using repo = await makeRepository();
  await run("git", ["init", "-q", "--bare", join(repo.path, "sub")]);
  await mkdir(join(repo.path, "sub/deeper"));
  const folders = [join(repo.path, "sub"), join(repo.path, "sub/deeper")];

  expect(folders.map(namesPrograms)).toEqual([true, true]);
  expect(namesPrograms(repo.path)).toBe(false);
  await writeFile(join(repo.path, ".gitmodules"), "");
  expect(namesPrograms(repo.path)).toBe(true);
});
