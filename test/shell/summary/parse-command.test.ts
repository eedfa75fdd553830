import { describe, expect, test } from "vitest";
import {
  defaultRules,
  latestRules,
  parseCommand,
  rulesOf2025,
  rulesOf2026,
} from "../../../src/shell/index.js";

const script = (text: string) => ["bash", "-lc", text];

test("a search keeps its query whole and shortens its path", () => {
  expect(parseCommand(script("grep -n 'src/main' packages/app/src"))).toEqual([
    { type: "search", cmd: "grep -n src/main packages/app/src", query: "src/main", path: "app" },
  ]);
});

test("formatting stages, a leading echo, cd and true are left out", () => {
  expect(
    parseCommand(script("echo start && cd sub && true && cat a.txt | sort | uniq -c")),
  ).toEqual([{ type: "read", cmd: "cat a.txt", name: "a.txt", path: "sub/a.txt" }]);
});

test("equal neighbours are shown once", () => {
  expect(parseCommand(script("ls; ls; pwd; ls"))).toEqual([
    { type: "list_files", cmd: "ls" },
    { type: "unknown", cmd: "pwd" },
    { type: "list_files", cmd: "ls" },
  ]);
});

test("a script that is not plain is one unknown with its text", () => {
  expect(parseCommand(script("for i in 1 2; do echo $i; done"))).toEqual([
    { type: "unknown", cmd: "for i in 1 2; do echo $i; done" },
  ]);
});

test("an empty command is an unknown without text", () => {
  expect(parseCommand([])).toEqual([{ type: "unknown", cmd: "" }]);
});

test("names of inherited properties are programs like any other", () => {
  expect(parseCommand(["constructor", "x"])).toEqual([{ type: "unknown", cmd: "constructor x" }]);
});

describe("where the eras differ", () => {
  test("a listing by a search tool is a search in 2025 and a listing in 2026", () => {
    expect(parseCommand(["rg", "--files"], rulesOf2025)).toEqual([
      { type: "search", cmd: "rg --files" },
    ]);
    expect(parseCommand(["rg", "--files"], defaultRules)).toEqual([
      { type: "search", cmd: "rg --files" },
    ]);
    expect(parseCommand(["rg", "--files"], rulesOf2026)).toEqual([
      { type: "list_files", cmd: "rg --files" },
    ]);
  });

  test("only bash -lc is opened in 2025", () => {
    const argv = ["/bin/zsh", "-c", "ls sub"];

    expect(parseCommand(argv, rulesOf2025)).toEqual([
      { type: "unknown", cmd: "/bin/zsh -c 'ls sub'" },
    ]);
    expect(parseCommand(argv, rulesOf2026)).toEqual([
      { type: "list_files", cmd: "ls sub", path: "sub" },
    ]);
    expect(parseCommand(argv)).toEqual([{ type: "list_files", cmd: "ls sub", path: "sub" }]);
  });

  test("a read has a path since 2026, led by the directories before it", () => {
    const argv = script("cd a && cd b && cat c.txt");

    expect(parseCommand(argv, rulesOf2025)).toEqual([
      { type: "read", cmd: "cat c.txt", name: "c.txt" },
    ]);
    expect(parseCommand(argv, rulesOf2026)).toEqual([
      { type: "read", cmd: "cat c.txt", name: "c.txt", path: "a/b/c.txt" },
    ]);
  });

  test("more programs are known since 2026, also by default", () => {
    const expected = [{ type: "search", cmd: "git grep -e x src", query: "x", path: "src" }];

    expect(parseCommand(["git", "grep", "-e", "x", "src"], rulesOf2025)).toEqual([
      { type: "unknown", cmd: "git grep -e x src" },
    ]);
    expect(parseCommand(["git", "grep", "-e", "x", "src"], rulesOf2026)).toEqual(expected);
    expect(parseCommand(["git", "grep", "-e", "x", "src"])).toEqual(expected);
  });

  test("in the latest rules one unknown stage takes the whole command", () => {
    const argv = script("cd sub && cat a.txt && make");

    expect(parseCommand(argv, rulesOf2026)).toEqual([
      { type: "read", cmd: "cat a.txt", name: "a.txt", path: "sub/a.txt" },
      { type: "unknown", cmd: "make" },
    ]);
    expect(parseCommand(argv, latestRules)).toEqual([
      { type: "unknown", cmd: "cd sub && cat a.txt && make" },
    ]);
  });

  test("a glob is shown until the latest rules, which accept only literal words", () => {
    expect(parseCommand(script("cat *.md"), rulesOf2026)).toEqual([
      { type: "read", cmd: "cat '*.md'", name: "*.md", path: "*.md" },
    ]);
    expect(parseCommand(script("cat *.md"), latestRules)).toEqual([
      { type: "unknown", cmd: "cat *.md" },
    ]);
  });

  test("a sed that writes is not taken for formatting in the latest rules", () => {
    const argv = script("cat a | sed -i s/x/y/ b");

    expect(parseCommand(argv, rulesOf2026)).toEqual([
      { type: "read", cmd: "cat a", name: "a", path: "a" },
    ]);
    expect(parseCommand(argv, latestRules)).toEqual([
      { type: "unknown", cmd: "cat a | sed -i s/x/y/ b" },
    ]);
  });
});

describe("[compat sed] a sed that edits in place is not a read", () => {
  test.each([
    "sed -i 1p secret.txt",
    "sed -n -i 1p secret.txt",
    "sed -n -i.bak 1p secret.txt",
    "sed -n 1p -i secret.txt",
    "sed -ni.bak 1p secret.txt",
    "sed -Eni 1p secret.txt",
    "sed --in-place -n 1p secret.txt",
    "sed -n --in-place=.bak 1p secret.txt",
    "sed -n -e 1p -i secret.txt",
  ])("%s", (sed) => {
    const inner = `cat README.md && ${sed}`;
    const whole = [{ type: "unknown", cmd: inner }];

    expect(parseCommand(["bash", "-lc", inner], latestRules)).toEqual(whole);
    const types = parseCommand(["bash", "-lc", inner]).map(({ type }) => type);
    expect(types).toEqual(["read", "unknown"]);
    expect(parseCommand(["bash", "-lc", sed]).map(({ type }) => type)).toEqual(["unknown"]);
  });

  test("and a command that only looks like it is a read", () => {
    const reads = ["sed -n 1p -- -input.txt", "sed -n -e 1p secret.txt", "sed -n '1,5p' info.txt"];

    for (const script of reads) {
      const parsed = parseCommand(["bash", "-lc", script], latestRules);
      expect(parsed.map(({ type }) => type)).toEqual(["read"]);
    }
  });
});
