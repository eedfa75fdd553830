import { expect, test } from "vitest";
import { splitWords } from "../../../src/shell/index.js";
import {
  onlyFinds,
  onlySearches,
  printsLines,
  printsLinesOfFile,
  readsOneFile,
  writesNoOutput,
} from "../../../src/shell/safety/argument-checks.js";
import {
  readGitCommand,
  readsRepository,
  readsRepositoryNamedFirst,
} from "../../../src/shell/safety/git.js";

const words = (line: string) => splitWords(line) ?? [];

test.each([
  [onlyFinds, ". -name x -print0", ". -delete"],
  [onlyFinds, "", ". -fls out"],
  [onlyFinds, "-name -exec2", "-okdir rm ;"],
  [onlySearches, "-n x src", "--pre cat x"],
  [onlySearches, "--pretty x", "--hostname-bin=x y"],
  [onlySearches, "-e z x", "-iz x"],
  [onlySearches, "-gz x", "--search-zip x"],
  [printsLines, "-n 1p", "-n 1p a b"],
  [printsLines, "-n 1,5p a", "-n 1,5d a"],
  [printsLines, "-n 1p -", "-n 1p -i"],
  [printsLinesOfFile, "-n 1p a", "-n 1p"],
  [printsLinesOfFile, "-n 10,20p a", "-n 10,20p ''"],
  [readsOneFile, "-c in", "in out"],
  [readsOneFile, "-f 1 -s 2 in", "- out"],
  [readsOneFile, "-- in", "-- in out"],
  [writesNoOutput, "-d in", "-d in -o out"],
  [writesNoOutput, "--decode in", "--outp=out in"],
])("%o accepts %j and refuses %j", (check, accepted, refused) => {
  expect([check(words(accepted)), check(words(refused))]).toEqual([true, false]);
});

test.each([
  ["status", { subcommand: "status", globals: [], args: [] }],
  ["-C sub log -1", { subcommand: "log", globals: ["-C", "sub"], args: ["-1"] }],
  ["-c a=b --bare show", { subcommand: "show", globals: ["-c", "a=b", "--bare"], args: [] }],
  ["--git-dir x diff", { subcommand: "diff", globals: ["--git-dir", "x"], args: [] }],
  ["--version", undefined],
  ["", undefined],
])("git %s is split at its subcommand", (line, expected) => {
  expect(readGitCommand(words(line))).toEqual(expected);
});

test.each([
  ["status -sb", true],
  ["log --oneline -- a", true],
  ["show HEAD:a", true],
  ["diff --text", true],
  ["branch", true],
  ["branch --list -vv", true],
  ["branch -d x", false],
  ["-C sub status", true],
  ["-c core.pager=x status", false],
  ["--work-tree=x status", false],
  ["log --outp=x", false],
  ["diff --textc", false],
  ["log --format=%G?", false],
  ["log -cx", false],
  ["commit", false],
])("git %s only reads: %j", (line, expected) => {
  expect(readsRepository(words(line))).toBe(expected);
});

test("the stricter check also wants the subcommand first", () => {
  expect(readsRepositoryNamedFirst(["status"])).toBe(true);
  expect(readsRepositoryNamedFirst(["-C", "sub", "status"])).toBe(false);
});
