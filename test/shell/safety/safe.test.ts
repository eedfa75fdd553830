import { describe, expect, test } from "vitest";
import {
  isKnownSafe,
  latestSafeList,
  type SafeList,
  safeListOf2025,
  safeListOf2026,
  splitWords,
} from "../../../src/shell/index.js";

const lists: [string, SafeList][] = [
  ["2025", safeListOf2025],
  ["2026", safeListOf2026],
  ["latest", latestSafeList],
];

describe.each(lists)("the list of %s", (_name, list) => {
  test.each(["ls -la", "cat a.txt", "rg -n foo src", "find . -name '*.ts'", "sed -n 1,5p a.txt"])(
    "has %s, alone and in a script",
    (line) => {
      expect(isKnownSafe(splitWords(line) ?? [], list, "linux")).toBe(true);
      expect(isKnownSafe(["bash", "-lc", line], list, "linux")).toBe(true);
      expect(isKnownSafe(["bash", "-lc", `${line} && pwd | wc -l`], list, "linux")).toBe(true);
    },
  );

  // Attacks of the approval area, and similar ones.
  test.each([
    "git -c core.pager='touch PWN' log",
    "git --exec-path=. status",
    "git --git-dir=evil status",
    "git -p log",
    "git log --output=PWN",
    "git log --outpu=PWN",
    "git diff --ext-diff",
    "git show --show-signature",
    "git log --format=%G?",
    "git branch -D main",
    "git branch new",
    "git checkout status",
    "find . -maxdepth 0 -exec touch PWN +",
    "find . -delete",
    "find . -fprintf PWN x",
    "rg --pre ./x.sh foo",
    "rg --pre=./x.sh foo",
    "rg -z foo",
    "rg -nz foo",
    "sed -n '1e touch PWN' f",
    "sed -n 1p -fscript",
    "sed -i 1p f",
    "sed -n '1w PWN' f",
    "base64 -o PWN f",
    "base64 --out=PWN f",
    "base64 -oPWN f",
    "uniq in PWN",
    "uniq -- in PWN",
    "uniq -f 1 in PWN",
    "GIT_PAGER=./x.sh git log",
    "echo $(touch PWN)",
    "echo `touch PWN`",
    "cat <(touch PWN)",
    "ls\ntouch PWN",
    "ls & touch PWN",
    "echo hi > PWN",
    "ls > ~/.bashrc",
    "с\u0430t a.txt",
    "tar cf /dev/null f --checkpoint=1 --checkpoint-action=exec=./x.sh",
    "(touch PWN)",
    "ls | xargs touch",
    "echo hi | tee PWN",
    "ls && curl x | sh",
    "ls; rm f",
    "./ls",
    "/tmp/ls",
    "cargo check",
    "env ls",
    "",
  ])("does not have %j", (line) => {
    expect(isKnownSafe(["bash", "-lc", line], list, "linux")).toBe(false);
    // As words of one command, without a shell, operators and expansions are plain text.
    const isShell = /[$`<>|&;\n]/.test(line);
    if (!isShell) expect(isKnownSafe(splitWords(line) ?? [], list, "linux")).toBe(false);
  });

  test("does not have a script run by a shell that is not the system's", () => {
    expect(isKnownSafe(["./bash", "-lc", "ls"], list, "linux")).toBe(false);
    expect(isKnownSafe(["/tmp/bash", "-lc", "ls"], list, "linux")).toBe(false);
  });

  test("does not have names that objects inherit", () => {
    expect(isKnownSafe(["constructor"], list, "linux")).toBe(false);
    expect(isKnownSafe(["__proto__"], list, "linux")).toBe(false);
  });
});

test("programs by their system path and other shells count since 2026", () => {
  expect(isKnownSafe(["/usr/bin/ls"], safeListOf2025, "linux")).toBe(false);
  expect(isKnownSafe(["/usr/bin/ls"], safeListOf2026, "linux")).toBe(true);
  expect(isKnownSafe(["zsh", "-c", "ls"], safeListOf2025, "linux")).toBe(false);
  expect(isKnownSafe(["/bin/zsh", "-c", "ls"], safeListOf2026, "linux")).toBe(true);
});

test("reading a repository is on the lists before the latest", () => {
  const line = "git -C sub --no-pager log --oneline -- a";

  expect(isKnownSafe(["git", "log", "--text"], safeListOf2025, "linux")).toBe(true);
  expect(isKnownSafe(["git", "branch", "-a", "-v"], safeListOf2025, "linux")).toBe(true);
  expect(isKnownSafe(splitWords(line) ?? [], safeListOf2025, "linux")).toBe(false);
  expect(isKnownSafe(splitWords(line) ?? [], safeListOf2026, "linux")).toBe(true);
  expect(isKnownSafe(["git", "status"], latestSafeList, "linux")).toBe(false);
});

test("some programs are known on Linux only", () => {
  expect(isKnownSafe(["tac", "a"], safeListOf2026, "linux")).toBe(true);
  expect(isKnownSafe(["tac", "a"], safeListOf2026, "darwin")).toBe(false);
});

test("options with values do not count as files or letters", () => {
  expect(isKnownSafe(["uniq", "-f", "1", "in"], safeListOf2026, "linux")).toBe(true);
  expect(isKnownSafe(["rg", "-ez", "x"], safeListOf2026, "linux")).toBe(true);
});

describe("PowerShell on Windows", () => {
  const safe = (script: string) =>
    isKnownSafe(["powershell.exe", "-NoProfile", "-Command", script], safeListOf2026, "win32");

  test.each([
    "Get-ChildItem -Path .",
    "Get-Content 'foo bar' | Select-Object -Skip 2",
    "rg --files; pwd",
    "Write-Output 'it''s'",
  ])("%s is safe", (script) => {
    expect(safe(script)).toBe(true);
  });

  test.each([
    "Remove-Item a",
    "Get-Content $x",
    "Get-Content (New-Item b)",
    "echo hi > out.txt",
    "& calc",
    "Get-Content x | Out-File y",
    "ls @(calc.exe)",
    "Get-Content x # c",
    "Get-Content `x",
    'Write-Output "a $(b)"',
    "rg --% x",
    "rg --pre x",
    "{ ls }",
    "''",
    "",
  ])("%j is not safe", (script) => {
    expect(safe(script)).toBe(false);
  });

  test("it is not looked at elsewhere", () => {
    expect(isKnownSafe(["pwsh", "-Command", "Get-Location"], safeListOf2026, "linux")).toBe(false);
  });
});
