import fc from "fast-check";
import { expect, test } from "vitest";
import { quoteWord } from "../../src/shell/index.js";
import { isUnquoted, type PlainWordRules, readPlainWord } from "../../src/shell/plain-word.js";
import {
  isPowerShell,
  readPowerShellScript,
  readShellScript,
  readSystemShellScript,
  systemProgram,
} from "../../src/shell/shell-argv.js";

const literal: PlainWordRules = { unquoted: "literal", pieces: "many" };
const source: PlainWordRules = { unquoted: "source", pieces: "many" };
const single: PlainWordRules = { unquoted: "source", pieces: "one" };

test.each([
  ["abc", "abc", "abc", "abc"],
  ["'a b'", "a b", "a b", "a b"],
  ['"a b"', "a b", "a b", "a b"],
  ["a'b'\"c\"", "abc", "abc", undefined],
  ["''", "", "", ""],
  ['""', "", "", undefined],
  ["''''", undefined, undefined, undefined],
  ["*.md", undefined, "*.md", "*.md"],
  ["~/x", undefined, "~/x", "~/x"],
  ["a\\ b", undefined, "a\\ b", "a\\ b"],
  ["{a,b}", undefined, "{a,b}", undefined],
  ["{1..9}", undefined, undefined, undefined],
  ["=ls", undefined, "=ls", "=ls"],
  ["$x", undefined, undefined, undefined],
  ['"$x"', undefined, undefined, undefined],
  ['"a\\"b"', undefined, 'a\\"b', 'a\\"b'],
  ['"a\\qb"', "a\\qb", "a\\qb", "a\\qb"],
  ["`x`", undefined, undefined, undefined],
  ["'a", undefined, undefined, undefined],
  ["a;b", undefined, undefined, undefined],
  ["a\u00a0b", undefined, undefined, undefined],
])("the word %j is %j literally, %j by its source, %j in one piece", (word, a, b, c) => {
  const read = [literal, source, single].map((rules) => readPlainWord(word, rules));

  expect(read).toEqual([a, b, c]);
});

test("a quoted word is read back as itself, unless it needs an escape", () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), (word) => {
      fc.pre(!word.includes("\0"));
      const read = readPlainWord(quoteWord(word), literal);

      expect([word, undefined]).toContain(read);
    }),
  );
});

test.each([
  ["ls", true],
  ["l\\'s", true],
  ["'ls'", false],
  ['l"s"', false],
  ["", false],
])("%j is unquoted: %j", (word, expected) => {
  expect(isUnquoted(word)).toBe(expected);
});

test.each([
  [["bash", "-c", "ls"], "bash", true],
  [["/bin/zsh", "-lc", "ls"], "zsh", true],
  [["sh.exe", "-c", "ls"], "sh", false],
  [["./bash", "-c", "ls"], "bash", false],
  [["/tmp/bash", "-c", "ls"], "bash", false],
  [["bash", "-c", "ls", "arg"], undefined, false],
  [["bash", "-x", "ls"], undefined, false],
  [["fish", "-c", "ls"], undefined, false],
  [["bash", "-c"], undefined, false],
  [[], undefined, false],
])("%j is a script of %j, by the system's shell: %j", (argv, shell, bySystem) => {
  expect(readShellScript(argv)?.shell).toBe(shell);
  expect(readSystemShellScript(argv) !== undefined).toBe(bySystem);
});

test.each([
  ["ls", "ls"],
  ["/usr/bin/ls", "ls"],
  ["/opt/homebrew/bin/rg", "rg"],
  ["/usr/bin/../x/ls", undefined],
  ["./ls", undefined],
  ["", undefined],
])("%j is the system's program %j", (program, name) => {
  expect(systemProgram(program)).toBe(name);
});

test.each([
  [["powershell", "-Command", "ls"], "ls"],
  [["C:\\x\\PWSH.EXE", "-NoLogo", "-NoProfile", "-c", "ls"], "ls"],
  [["pwsh", "-File", "a.ps1"], undefined],
  [["pwsh"], undefined],
  [["bash", "-c", "ls"], undefined],
])("%j runs the PowerShell script %j", (argv, script) => {
  expect(readPowerShellScript(argv)).toBe(script);
  expect(isPowerShell(argv[0] ?? "")).toBe(argv[0] !== "bash");
});
