import { expect, test } from "vitest";
import { slope } from "../../../../bench/against/cases/soak.js";

test("growth is the slope of a line through all points", () => {
  const points = [1, 2, 3, 4].map((turns) => ({ turns, residentMb: 50 + turns * 2 }));

  expect(slope(points)).toBe(2);
  expect(slope([])).toBe(0);
});
