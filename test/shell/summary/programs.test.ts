import { expect, test } from "vitest";
import { splitWords } from "../../../src/shell/index.js";
import {
  formatting2025,
  formatting2026,
  keepingWrites,
} from "../../../src/shell/summary/formatting.js";
import {
  awkDataFile,
  onlyOperand,
  operands,
  sedReadPath,
  sedWritesInPlace,
} from "../../../src/shell/summary/operands.js";
import { cdTarget, looksLikePath, pathFrom, shortPath } from "../../../src/shell/summary/paths.js";
import { readGetContent } from "../../../src/shell/summary/powershell.js";
import { programs2025 } from "../../../src/shell/summary/programs-2025.js";
import { programs2026 } from "../../../src/shell/summary/programs-2026.js";

const words = (line: string) => splitWords(line) ?? [];
const read = (path: string) => ({ type: "read", path });
const list = (path?: string) => ({ type: "list_files", path });
const search = (query?: string, path?: string) => ({ type: "search", query, path });

test.each([
  ["cat a", read("a"), read("a")],
  ["cat -- a", read("a"), read("a")],
  ["cat a b", undefined, undefined],
  ["bat --theme x a", undefined, read("a")],
  ["less -p x a", undefined, read("a")],
  ["head -n 5 a", read("a"), read("a")],
  ["head -n5 a", read("a"), read("a")],
  ["head a", undefined, read("a")],
  ["tail -n +5 a", read("a"), read("a")],
  ["tail -n x a", undefined, undefined],
  ["nl -b a x", read("x"), read("x")],
  ["sed -n 1,5p a", read("a"), read("a")],
  ["sed -n -e 1p a", undefined, read("a")],
  ["sed s/a/b/ c", undefined, undefined],
  ["awk '{print}' a", undefined, read("a")],
  ["awk -f p a", undefined, read("a")],
  ["ls", list(), list()],
  ["ls -I x dir", list("dir"), list("dir")],
  ["eza --sort x dir", undefined, list("dir")],
  ["tree -L 2 dir", undefined, list("dir")],
  ["du -d 1 dir", undefined, list("dir")],
  ["git ls-files --exclude x dir", undefined, list("dir")],
  ["git status", undefined, undefined],
  ["rg --files dir", search(undefined, "dir"), list("dir")],
  ["rg -n foo src", search("foo", "src"), search("foo", "src")],
  ["rg -g '*.ts' foo src", search("*.ts", "foo"), search("foo", "src")],
  ["grep -rn foo src", search("foo", "src"), search("foo", "src")],
  ["grep -e foo -A 2 src", search("foo", "2"), search("foo", "src")],
  ["grep -- -x src", search("src"), search("-x", "src")],
  ["fd foo src", search("foo", "src"), search("foo", "src")],
  ["fd src/", { type: "search", path: "src/" }, { type: "list_files", path: "src/" }],
  ["fd", { type: "search" }, { type: "list_files" }],
  ["find . -name '*.ts'", { ...search("*.ts", ".") }, { ...search("*.ts", ".") }],
  ["find src -type f", { type: "search", path: "src" }, { type: "list_files", path: "src" }],
  ["ag -G x foo src", undefined, search("foo", "src")],
  ["python3 -c 'import os; os.walk(1)'", undefined, { type: "list_files" }],
  ["python -c 'print(1)'", undefined, undefined],
  ["python a.py", undefined, undefined],
])("%s is summarized by the programs of 2025 and 2026", (line, in2025, in2026) => {
  const [name = "", ...args] = words(line);

  expect(programs2025[name]?.(args)).toEqual(in2025);
  expect(programs2026[name]?.(args)).toEqual(in2026);
});

test.each([
  ["wc -l", true, true],
  ["sort -u", true, true],
  ["xargs echo", true, true],
  ["xargs sed -i s/a/b/", true, false],
  ["xargs -n 1 perl -pi -e x", true, false],
  ["xargs rg --replace x", true, false],
  ["awk '{print}'", true, true],
  ["awk '{print}' file", true, false],
  ["head -n 5", false, true],
  ["head", true, true],
  ["tail -n +5", false, true],
  ["tail -f a b", false, false],
  ["sed -n 1p", true, true],
  ["sed -n 1p file", false, false],
  ["sed -i s/a/b/ file", true, true],
  ["cat", false, false],
  ["", false, false],
])("%j only formats: %j in 2025, %j in 2026", (line, in2025, in2026) => {
  expect([formatting2025(words(line)), formatting2026(words(line))]).toEqual([in2025, in2026]);
});

test("a sed that writes in place is not formatting where writes count", () => {
  const isFormatting = keepingWrites(formatting2026);

  expect(isFormatting(words("sed -i s/a/b/ file"))).toBe(false);
  expect(isFormatting(words("sed s/a/b/"))).toBe(true);
  expect(isFormatting(["sort"])).toBe(true);
});

test("operands skip options and the values of named flags", () => {
  expect(operands(words("-a x --flag v y -- -z"), ["--flag"])).toEqual(["x", "y", "-z"]);
  expect(onlyOperand(words("-a x"))).toBe("x");
  expect([onlyOperand(["x", "y"]), onlyOperand([])]).toEqual([undefined, undefined]);
});

test.each([
  ["-n 1p a", "a", false],
  ["-n -e 1,2p a", "a", false],
  ["-n 1p -i a", "a", true],
  ["-ni 1p a", undefined, true],
  ["--in-place=.bak s/a/b/ a", undefined, true],
  ["-e i a", undefined, false],
  ["-ei a", undefined, false],
  ["-n 1p -- -i", "-i", false],
  ["1p a", undefined, false],
])("sed %s reads %j and writes in place: %j", (line, path, writes) => {
  expect([sedReadPath(words(line)), sedWritesInPlace(words(line))]).toEqual([path, writes]);
});

test.each([
  ["'{print}'", undefined],
  ["-F , '{print}' a", "a"],
  ["--file p a b", "a"],
])("awk %s reads %j", (line, file) => {
  expect(awkDataFile(words(line))).toBe(file);
});

test.each([
  ["a/b/c.ts", "c.ts"],
  ["packages/app/src", "app"],
  ["a\\b\\", "b"],
  ["node_modules/", "node_modules"],
  ["/", ""],
])("the short name of %j is %j", (path, short) => {
  expect(shortPath(path)).toBe(short);
});

test.each([
  [undefined, "a", "a"],
  ["", "a", "a"],
  ["sub", "a", "sub/a"],
  ["sub/", "a", "sub/a"],
  ["sub", "/a", "/a"],
  ["sub", "C:\\a", "C:\\a"],
  ["sub", "\\\\host\\a", "\\\\host\\a"],
])("from %j the path %j is %j", (directory, path, expected) => {
  expect(pathFrom(directory, path)).toBe(expected);
});

test("cd goes to its last operand, or to the one after --", () => {
  expect(["a", "-P a", "-- -a", "-L", ""].map((line) => cdTarget(words(line)))).toEqual([
    "a",
    "a",
    "-a",
    undefined,
    undefined,
  ]);
  expect([".", "..", "a/b", "a\\b", "a"].map(looksLikePath)).toEqual([
    true,
    true,
    true,
    true,
    false,
  ]);
});

test.each([
  ["Get-Content src/a.ts", "src/a.ts"],
  ["gc -Raw a.txt", "a.txt"],
  ["type C:\\notes\\a.txt", "C:/notes/a.txt"],
  ["Get-Content 'a b.txt'", "a b.txt"],
])("%j reads %j", (script, path) => {
  expect(readGetContent(script)).toMatchObject({ type: "read", cmd: script, path });
});

test.each([
  "Get-Content a b",
  "Get-Content $x",
  "Get-Content a | sort",
  "Get-Content -Tail 5 a",
  "Remove-Item a",
  "",
])("%j is not parsed as a read", (script) => {
  expect(readGetContent(script)).toBeUndefined();
});
