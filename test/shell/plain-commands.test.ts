import { expect, test } from "vitest";
import { parsePlainCommands, parseShellLcPlainCommands } from "../../src/shell/index.js";

test.each([
  ["ls", [["ls"]]],
  ["ls && pwd; echo 'hi there' | wc -l", [["ls"], ["pwd"], ["echo", "hi there"], ["wc", "-l"]]],
  ["ls\npwd\n", [["ls"], ["pwd"]]],
  ["ls;", [["ls"]]],
  ["ls \\\n  -l", [["ls", "-l"]]],
  ["ls &&\n pwd", [["ls"], ["pwd"]]],
  [`rg -g"*.py" 'a'"b" ""`, [["rg", "-g*.py", "ab", ""]]],
  [`echo "a\nb"`, [["echo", "a\nb"]]],
  ["echo a=b --c=d", [["echo", "a=b", "--c=d"]]],
  ["", []],
])("the script %j is plain", (script, commands) => {
  expect(parsePlainCommands(script)).toEqual(commands);
});

test.each([
  "(ls)",
  "{ ls; }",
  "ls > out",
  "ls 2>&1",
  "ls < in",
  "cat <<EOF\nx\nEOF",
  "cat <<< x",
  "ls &",
  "ls & pwd",
  "ls |& wc",
  "! ls",
  "time ls",
  "A=1 ls",
  "A=1",
  "export A=1",
  "echo $HOME",
  'echo "$HOME"',
  "echo $(pwd)",
  "echo `pwd`",
  "cat <(pwd)",
  "echo $'a'",
  'echo $"a"',
  "echo $((1))",
  "echo *",
  "echo {a,b}",
  "echo ~",
  "echo a\\b",
  'echo "a\\"b"',
  "echo =ls",
  "ls # comment",
  "# comment",
  "#!/bin/sh\nls",
  "if true; then ls; fi",
  "f() { ls; }",
  "[[ a ]]",
  "((1))",
  "coproc ls",
  "&& ls",
  "ls &&",
  "ls | | wc",
  "ls;;",
  "; ls",
  "'ls",
  "'ls' -l",
  '"ls"',
  "ls\u00a0-l",
  "ls \u2003x",
  "ls \u0000",
  "ls\r",
  "l* -l",
])("the script %j is not plain", (script) => {
  expect(parsePlainCommands(script)).toBeUndefined();
});

test.each([
  [["bash", "-lc", "ls"], [["ls"]]],
  [["/bin/zsh", "-c", "ls"], [["ls"]]],
  [["/usr/bin/sh", "-c", "ls"], [["ls"]]],
  [["bash", "-lc", "ls", "x"], undefined],
  [["bash", "-x", "ls"], undefined],
  [["python", "-c", "ls"], undefined],
])("the commands of %j are %j", (argv, commands) => {
  expect(parseShellLcPlainCommands(argv)).toEqual(commands);
});

test.each(["./bash", "/tmp/bash", "/usr/bin/../../tmp/bash", "Bash"])(
  "a shell called as %s is not taken for the system's",
  (program) => {
    expect(parseShellLcPlainCommands([program, "-lc", "ls"])).toBeUndefined();
  },
);

test("a script too long to judge is not read", () => {
  expect(parsePlainCommands(`echo ${"a".repeat(200_001)}`)).toBeUndefined();
});

test("rules for showing keep globs and backslashes as they are written", () => {
  const shown = { unquoted: "source", pieces: "many" } as const;

  expect(parsePlainCommands('rg x */a.txt \\( ~ "\\$x" [a]{b}', shown)).toEqual([
    ["rg", "x", "*/a.txt", "\\(", "~", "\\$x", "[a]{b}"],
  ]);
  expect(parsePlainCommands("rg -g'*' x", { unquoted: "source", pieces: "one" })).toBeUndefined();
});
