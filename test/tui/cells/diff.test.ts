import fc from "fast-check";
import { expect, test } from "vitest";
import { unifiedDiff } from "../../../src/patch/index.js";
import { diffOf, readHunks } from "../../../src/tui/cells/diff.js";

test("an added or deleted file is all of its lines", () => {
  const rows = (kind: string) => [
    { kind, number: 1, text: "a" },
    { kind, number: 2, text: "b" },
  ];
  const diff = "a\nb\n";
  expect(diffOf({ path: "f", kind: { type: "add" }, diff })).toEqual({
    added: 2,
    removed: 0,
    rows: rows("added"),
  });
  expect(diffOf({ path: "f", kind: { type: "delete" }, diff })).toEqual({
    added: 0,
    removed: 2,
    rows: rows("removed"),
  });
});

test("an empty file has no rows", () => {
  expect(diffOf({ path: "f", kind: { type: "add" }, diff: "" }).rows).toEqual([]);
});

test("hunks are numbered by the side they are on, with a gap between them", () => {
  const text = [
    "--- a/f",
    "+++ b/f",
    "@@ -1,2 +1,3 @@ context",
    " one",
    "-two",
    "+2",
    "+2b",
    "\\ No newline at end of file",
    "@@ -10 +11 @@",
    "-ten",
    "+10",
    "",
  ].join("\n");
  expect(readHunks(text)).toEqual({
    added: 3,
    removed: 2,
    rows: [
      { kind: "same", number: 1, text: "one" },
      { kind: "removed", number: 2, text: "two" },
      { kind: "added", number: 2, text: "2" },
      { kind: "added", number: 3, text: "2b" },
      { kind: "gap" },
      { kind: "removed", number: 10, text: "ten" },
      { kind: "added", number: 11, text: "10" },
    ],
  });
});

test("lines that look like headers are content inside a hunk, and headers after it", () => {
  const text = "@@ -1 +1 @@\n--- old\n+++ new\n--- a/other\n+++ b/other\n";
  expect(readHunks(text).rows).toEqual([
    { kind: "removed", number: 1, text: "-- old" },
    { kind: "added", number: 1, text: "++ new" },
  ]);
});

test("reading a written diff gives the changed lines back", () => {
  const line = fc.stringMatching(/^[-+@ab ]{0,4}$/);
  const lines = fc
    .array(line, { maxLength: 12 })
    .map((all) => all.map((each) => `${each}\n`).join(""));
  fc.assert(
    fc.property(lines, lines, (before, after) => {
      const { rows } = readHunks(unifiedDiff(before, after, { context: 100 }));
      const side = (kind: string) =>
        rows.flatMap((row) =>
          row.kind !== "gap" && (row.kind === kind || row.kind === "same") ? [`${row.text}\n`] : [],
        );
      if (before === after) expect(rows).toEqual([]);
      else {
        expect(side("removed").join("")).toBe(before);
        expect(side("added").join("")).toBe(after);
      }
    }),
  );
});
