import { expect, test } from "vitest";
import { slope } from "../../../bench/against/cases/soak.js";
import { LineSplitter } from "../../../bench/against/line-splitter.js";
import { ratioTo } from "../../../bench/against/ratio.js";
import type { Row } from "../../../bench/against/rounds.js";
import type { Side } from "../../../bench/against/side.js";
import { toTable } from "../../../bench/against/table.js";

const ours: Side = { name: "quire", kind: "ours", appServer: [], model: "m" };
const theirs: Side = { name: "codex 0.166.0", kind: "reference", appServer: [], model: "m" };

function row(samples: Record<string, number[]>): Row {
  const head = { key: "initialize", name: "start", unit: "ms", better: "less" } as const;
  return { ...head, samples: new Map(Object.entries(samples)) };
}

test("ratios are taken within a round, so that a slow minute changes none", () => {
  const measured = row({ quire: [10, 100, 30], "codex 0.166.0": [20, 200, 100] });

  expect(ratioTo(measured, "quire", "codex 0.166.0")).toEqual({
    middle: 0.5,
    lowest: 0.3,
    highest: 0.5,
  });
});

test("the table shows what is aimed at, and nothing for a side that could not be measured", () => {
  const measured = row({ quire: [10], "codex 0.166.0": [20] });
  const alone = row({ "codex 0.166.0": [20] });

  expect(toTable([measured, alone], [ours, theirs])).toBe(
    [
      "| figure | quire | codex 0.166.0 |",
      "| --- | --- | --- |",
      "| start | 10.0 ms | 20.0 ms; **×0.500**, aim ≤ 0.4 ✗ |",
      "| start | – | 20.0 ms |",
    ].join("\n"),
  );
});

test("growth is the slope of a line through all points", () => {
  const points = [1, 2, 3, 4].map((turns) => ({ turns, residentMb: 50 + turns * 2 }));

  expect(slope(points)).toBe(2);
  expect(slope([])).toBe(0);
});

test("lines are found wherever the bytes are cut", () => {
  const lines: string[] = [];
  const splitter = new LineSplitter((line) => lines.push(line.toString()));

  for (const piece of ["one\ntw", "o", "\nthree\n", "fo"]) splitter.push(Buffer.from(piece));

  expect(lines).toEqual(["one", "two", "three"]);
});
