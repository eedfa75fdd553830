import { expect, test } from "vitest";
import { countChanges, diffLines, splitFiles, toPairs } from "../../../src/web/diff/parse-diff.js";
import { wordRanges } from "../../../src/web/diff/word-ranges.js";

const update = { type: "update", move_path: null } as const;

test("the content of an added or deleted file is all added or removed", () => {
  const diff = "a\n\nb\n";
  const added = diffLines({ path: "x", kind: { type: "add" }, diff });
  const removed = diffLines({ path: "x", kind: { type: "delete" }, diff });

  expect(added.map(({ kind, text, new: at }) => [kind, text, at])).toEqual([
    ["add", "a", 1],
    ["add", "", 2],
    ["add", "b", 3],
  ]);
  expect(countChanges(removed)).toEqual({ added: 0, removed: 3 });
});

test("a unified diff has numbers, gaps, and the part of a line that differs", () => {
  const diff = [
    "--- a/x",
    "+++ b/x",
    "@@ -3,3 +3,3 @@ function f()",
    " same",
    "-let a = 1;",
    "+let a = 2;",
    "\\ No newline at end of file",
  ].join("\n");

  expect(diffLines({ path: "x", kind: update, diff })).toEqual([
    { kind: "gap", text: "function f()" },
    { kind: "same", text: "same", old: 3, new: 3 },
    { kind: "remove", text: "let a = 1;", old: 4, emphasis: [[8, 9]] },
    { kind: "add", text: "let a = 2;", new: 4, emphasis: [[8, 9]] },
  ]);
});

test.each([
  ["let total = a + b;", "let sum = a + c;", ["total", "b"], ["sum", "c"]],
  ["call(one)", "call(one, two)", [], [", two"]],
  ["  return x;", "  return y;", ["x"], ["y"]],
  ["alpha beta gamma", "x y z", undefined, undefined],
])("%s and %s differ in words", (one, other, left, right) => {
  const cut = (text: string, ranges?: [number, number][]) =>
    ranges?.map(([start, end]) => text.slice(start, end));
  const ranges = wordRanges(one, other);

  expect([cut(one, ranges?.[0]), cut(other, ranges?.[1])]).toEqual([left, right]);
});

test("lines that are replaced stand beside each other", () => {
  const diff = "@@ -1,4 +1,4 @@\n a\n-b\n-c\n+d\n e\n+f\n";
  const pairs = toPairs(diffLines({ path: "x", kind: update, diff }));

  expect(pairs.map(({ old, new: next }) => [old?.text, next?.text])).toEqual([
    ["a", "a"],
    ["b", "d"],
    ["c", undefined],
    ["e", "e"],
    [undefined, "f"],
  ]);
});

test("the diff of a turn is split by files", () => {
  const file = (name: string) =>
    `diff --git a/${name} b/${name}\n--- a/${name}\n+++ b/${name}\n@@ -1 +1 @@\n-a\n+b\n`;

  expect(splitFiles(file("one") + file("two")).map(({ path }) => path)).toEqual(["one", "two"]);
  expect(splitFiles("")).toEqual([]);
});
