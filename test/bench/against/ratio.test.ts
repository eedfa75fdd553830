import { expect, test } from "vitest";
import { ratioTo } from "../../../bench/against/ratio.js";
import type { Row } from "../../../bench/against/rounds.js";

function ratio(ours: number[], theirs: number[]) {
  const samples = new Map(Object.entries({ ours, theirs }));
  const row: Row = { key: "start", name: "start", unit: "ms", better: "less", samples };
  return ratioTo(row, "ours", "theirs");
}

test("ratios are computed per round, so that a slow period does not matter", () => {
  expect(ratio([10, 100, 30], [20, 200, 100])).toEqual({ middle: 0.5, lowest: 0.3, highest: 0.5 });
});

test("a decrease on either side has no ratio", () => {
  expect(ratio([-1, 2, 3], [2, -4, 6])).toEqual({ middle: 0.5, lowest: 0.5, highest: 0.5 });
  expect(ratio([1], [0])).toBe(undefined);
});
