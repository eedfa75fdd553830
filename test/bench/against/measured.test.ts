import { expect, test } from "vitest";
import { putMeasured } from "../../../bench/against/measured.js";

const names = ["start", "turn", "size", "soak"];

/** Creates a document with these lines between its marks. */
function documentWith(...lines: string[]): string {
  return [
    "# Speed",
    "<!-- measured: begin -->",
    "",
    ...lines,
    "",
    "<!-- measured: end -->",
    "The end.",
  ].join("\n");
}

const whole = documentWith(
  "2 cores (A), Node v20, 7 rounds.",
  "",
  "| figure | quire | old | new |",
  "| --- | --- | --- | --- |",
  "| start | 1 ms | 10 ms | 20 ms |",
  "| size | 3 MB | 30 MB | – |",
);

test("an empty table gets the measured rows", () => {
  const table = { head: ["figure", "quire"], lines: [["start", "1 ms"]] };

  expect(putMeasured(documentWith(), { runs: ["2 cores, 7 rounds"], table }, names)).toBe(
    documentWith(
      "2 cores, 7 rounds.",
      "",
      "| figure | quire |",
      "| --- | --- |",
      "| start | 1 ms |",
    ),
  );
});

test("rows and columns that were not measured stay in place", () => {
  const table = {
    head: ["figure", "quire", "new", "newest"],
    lines: [
      ["soak", "5 MB", "–", "50 MB"],
      ["turn", "2 ms", "22 ms", "–"],
      ["start", "9 ms", "–", "90 ms"],
    ],
  };

  const merged = putMeasured(whole, { runs: ["2 cores (A), Node v20, 7 rounds"], table }, names);

  expect(merged).toBe(
    documentWith(
      "2 cores (A), Node v20, 7 rounds.",
      "",
      "| figure | quire | old | new | newest |",
      "| --- | --- | --- | --- | --- |",
      "| start | 9 ms | 10 ms | 20 ms | 90 ms |",
      "| turn | 2 ms | – | 22 ms | – |",
      "| size | 3 MB | 30 MB | – | – |",
      "| soak | 5 MB | – | – | 50 MB |",
    ),
  );
});

test("rows of different runs are labeled, until all are measured again", () => {
  const [head, start, size] = [
    ["figure", "quire", "old", "new"],
    ["start", "9 ms", "8 ms", "7 ms"],
    ["size", "6 MB", "5 MB", "–"],
  ];
  const runs = ["2 cores (A), Node v20, 3 rounds"];

  const part = putMeasured(whole, { runs, table: { head, lines: [start] } }, names);
  const all = putMeasured(part, { runs, table: { head, lines: [start, size] } }, names);

  expect(part).toBe(
    documentWith(
      "Rows of several runs: 2 cores (A), Node v20, 3 rounds; 2 cores (A), Node v20, 7 rounds.",
      "",
      "| figure | quire | old | new |",
      "| --- | --- | --- | --- |",
      "| start | 9 ms | 8 ms | 7 ms |",
      "| size | 3 MB | 30 MB | – |",
    ),
  );
  expect(all).toBe(
    documentWith(
      "2 cores (A), Node v20, 3 rounds.",
      "",
      "| figure | quire | old | new |",
      "| --- | --- | --- | --- |",
      "| start | 9 ms | 8 ms | 7 ms |",
      "| size | 6 MB | 5 MB | – |",
    ),
  );
});

test("a row that is no longer measured is dropped", () => {
  const run = {
    runs: ["1 core"],
    table: { head: ["figure", "quire"], lines: [["start", "1 ms"]] },
  };
  const before = documentWith("1 core.", "", "| figure | quire |", "| --- | --- |", "| gone | 2 |");

  expect(putMeasured(before, run, names)).toBe(
    documentWith("1 core.", "", "| figure | quire |", "| --- | --- |", "| start | 1 ms |"),
  );
});

test("a document without marks for the table is an error", () => {
  const run = { runs: [], table: { head: [], lines: [] } };

  expect(() => putMeasured("# Speed\n<!-- measured: begin -->\n", run, names)).toThrow(
    "There is no place for the table, <!-- measured: begin --> … <!-- measured: end -->",
  );
});
