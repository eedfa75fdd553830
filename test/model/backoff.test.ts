import { expect, test } from "vitest";
import { backoffMs } from "../../src/model/backoff.js";

test("the delay doubles with each try, a tenth more or less", () => {
  const nearlyOne = () => 0.999;

  expect([1, 2, 3, 4, 5].map((attempt) => backoffMs(attempt, () => 0))).toEqual([
    180, 360, 720, 1440, 2880,
  ]);
  expect([1, 2, 3].map((attempt) => backoffMs(attempt, nearlyOne))).toEqual([219, 439, 879]);
});

test("a delay is never longer than a timer can wait", () => {
  expect(backoffMs(100, () => 0.5)).toBe(2 ** 31 - 1);
});
