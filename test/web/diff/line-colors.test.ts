import { expect, test } from "vitest";
import { lineColors, styledLine } from "../../../src/web/diff/line-colors.js";
import { diffLines } from "../../../src/web/diff/parse-diff.js";
import * as highlighter from "../../../src/web/markdown/highlight.js";

const update = { type: "update" as const, move_path: null };

/** Returns the colored words of each line. */
function colorsOf(path: string, diff: string): string[][] {
  const lines = diffLines({ path, kind: update, diff });
  const colors = lineColors(lines, path, highlighter);
  return lines.map((line) =>
    (colors.get(line) ?? []).map(
      ({ start, end, color }) => `${color.slice(3)} ${line.text.slice(start, end)}`,
    ),
  );
}

test("the lines of a diff have the colors of their language, each version by itself", () => {
  const diff = ["@@ -1,3 +1,3 @@", " const a = 1;", "-// old", '+const b = "new";', " let c;"];

  expect(colorsOf("src/a.ts", diff.join("\n"))).toEqual([
    ["keyword const", "number 1"],
    ["comment // old"],
    ["keyword const", 'string "new"'],
    ["keyword let"],
  ]);
});

test("a comment of several lines is one in each of them, but not in the next hunk", () => {
  const diff = ["@@ -1,3 +1,3 @@", " /* one", "+", "+two", "@@ -9,1 +9,1 @@", " three();"];

  expect(
    colorsOf("a.js", diff.join("\n")).map((line) => line.filter((part) => part !== "comment ")),
  ).toEqual([["comment /* one"], [], ["comment two"], [], ["title three"]]);
});

test("a file without a known language has no colors, nor has a very long diff", () => {
  const long = `@@ -1,1 +1,1 @@\n+const a = "${"x".repeat(70_000)}";`;

  expect(colorsOf("notes", "@@ -1,1 +1,1 @@\n+const a;")).toEqual([[]]);
  expect(colorsOf("a.unknown", "@@ -1,1 +1,1 @@\n+const a;")).toEqual([[]]);
  expect(colorsOf("a.ts", long)).toEqual([[]]);
});

test("the words that differ keep their emphasis, and their colors within it", () => {
  const line = {
    kind: "add" as const,
    text: "let ab = 1;",
    emphasis: [[2, 6]] as [number, number][],
  };
  const colors = [
    { start: 0, end: 3, color: "hl-keyword" },
    { start: 9, end: 10, color: "hl-number" },
  ];

  expect(toHtml(styledLine(line, colors))).toBe(
    '<span class="hl-keyword">le</span><b><span class="hl-keyword">t</span> ab</b> = <span class="hl-number">1</span>;',
  );
  expect(toHtml(styledLine({ kind: "same", text: "plain" }))).toBe("plain");
});

interface Element {
  type: string;
  props: { class?: string; children?: unknown };
}

function toHtml(node: unknown): string {
  if (Array.isArray(node)) return node.map(toHtml).join("");
  if (typeof node === "string") return node;
  const { type, props } = node as Element;
  const attribute = props.class === undefined ? "" : ` class="${props.class}"`;
  return `<${type}${attribute}>${toHtml(props.children ?? "")}</${type}>`;
}
