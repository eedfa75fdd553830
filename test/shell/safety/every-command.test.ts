import { expect, test } from "vitest";
import { splitWords } from "../../../src/shell/index.js";
import { everyCommand, programName, readsScript } from "../../../src/shell/safety/every-command.js";
import { isWrapper, wrappedCommands } from "../../../src/shell/safety/wrappers.js";

const words = (line: string) => splitWords(line) ?? [];
const found = (line: string) => everyCommand(words(line)).commands.map((argv) => argv.join(" "));

test.each([
  ["ls -l", ["ls -l"]],
  ["sudo -u root rm x", ["sudo -u root rm x", "rm x"]],
  ["sudo A=1 rm x", ["sudo A=1 rm x", "rm x"]],
  ["env -u HOME A=1 rm x", ["env -u HOME A=1 rm x", "rm x"]],
  ["timeout -k 5 10 rm x", ["timeout -k 5 10 rm x", "rm x"]],
  ["nice -n 5 nohup rm x", ["nice -n 5 nohup rm x", "nohup rm x", "rm x"]],
  ["xargs -n 1 -I {} rm {}", ["xargs -n 1 -I {} rm {}", "rm {}"]],
  ["xargs -- rm", ["xargs -- rm", "rm"]],
  ["find . -exec rm {} ;", ["find . -exec rm {} ;", "rm {}"]],
  ["find . -ok rm {} + -execdir ls ;", ["find . -ok rm {} + -execdir ls ;", "rm {}", "ls"]],
  ["fd x -x rm", ["fd x -x rm", "rm"]],
  ["busybox rm x", ["busybox rm x", "rm x"]],
])("%j runs %j", (line, expected) => {
  expect(found(line)).toEqual(expected);
});

test.each([
  ["sh -c 'rm x'", "rm x"],
  ["bash -lc 'ls && rm x'", "rm x"],
  ["bash --norc -c 'rm x'", "rm x"],
  ["/bin/zsh -ec 'rm x'", "rm x"],
  ["su root -c 'rm x'", "rm x"],
  ["env -S 'rm x'", "rm x"],
  ["flock /tmp/l -c 'rm x'", "rm x"],
  ["eval rm x", "rm x"],
  ["trap 'rm x' EXIT", "rm x"],
  ["bash -c \"sh -c 'rm x'\"", "rm x"],
  ["bash -c '\\rm x'", "rm x"],
  ["bash -c 'r\"\"m x'", "rm x"],
  ["bash -c \"\\$'\\\\x72m' x\"", "rm x"],
  ["bash -c \"\\$'\\\\162\\\\u006d' x\"", "rm x"],
  ["bash -c '{rm,x}'", "rm x"],
  ["bash -c 'if a; then rm x; fi'", "rm x"],
  ["bash -c 'f() { rm x; }'", "rm x"],
  ["bash -c 'echo $(rm x)'", "rm x"],
  ["bash -c 'echo rm x | sh'", "rm x"],
  ["bash -c 'sh <<< \"rm x\"'", "rm x"],
])("%j may run %j", (line, inner) => {
  expect(found(line)).toContain(inner);
});

test("a here-document that a shell reads is searched", () => {
  const { commands } = everyCommand(["bash", "-c", "sh <<E\nrm x\nE"]);

  expect(commands).toContainEqual(["rm", "x"]);
});

test("text that is only printed is not a command", () => {
  expect(found("bash -c 'echo rm x'")).not.toContain("rm x");
  expect(found("echo rm x")).toEqual(["echo rm x"]);
});

test("a search that gets too deep or too wide is incomplete", () => {
  const deep = [...Array(20).fill("env"), "ls"];
  const wide = ["bash", "-c", "ls;".repeat(600)];

  expect(everyCommand(deep).isComplete).toBe(false);
  expect(everyCommand(wide).isComplete).toBe(false);
  expect(everyCommand(["bash", "-c", "x".repeat(200_001)]).isComplete).toBe(false);
  expect(everyCommand(words("env nice ls")).isComplete).toBe(true);
});

test("after an unknown option its next word may be a value or the command", () => {
  expect(wrappedCommands("sudo", ["--new", "a", "b"]).commands).toEqual([["a", "b"], ["b"]]);
  expect(wrappedCommands("sudo", ["--new=a", "b"]).commands).toEqual([["b"]]);
});

test.each([
  ["sh", true],
  ["bash -s", true],
  ["/bin/dash +x", true],
  ["bash -c ls", false],
  ["bash script.sh", false],
  ["cat", false],
])("%j reads a script from standard input: %j", (line, expected) => {
  expect(readsScript(words(line))).toBe(expected);
});

test.each([
  ["rm", "rm"],
  ["/bin/rm", "rm"],
  ["C:\\Windows\\CMD.EXE", "CMD"],
  ["./a/b", "b"],
  ["", ""],
])("the name of %j is %j", (program, name) => {
  expect(programName(program)).toBe(name);
});

test.each([
  ["sudo", true],
  ["xargs", true],
  ["ls", false],
  ["constructor", false],
])("%s is a wrapper: %j", (name, expected) => {
  expect(isWrapper(name)).toBe(expected);
});
