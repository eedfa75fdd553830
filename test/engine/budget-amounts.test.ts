import { expect, test } from "vitest";
import { addAmounts, noAmounts, shareOf, textOf } from "../../src/engine/budget/amounts.js";

test("amounts are added by kind", () => {
  const a = { tokens: 1, money: 0.5, turns: 2, seconds: 3 };
  const b = { tokens: 10, money: 0.25, turns: 20, seconds: 30 };

  expect(addAmounts(a, b)).toEqual({ tokens: 11, money: 0.75, turns: 22, seconds: 33 });
  expect(addAmounts(noAmounts(), a)).toEqual(a);
  expect(noAmounts()).not.toBe(noAmounts());
});

test("the share of every whole number of 100 is that number", () => {
  const numbers = Array.from({ length: 151 }, (_, index) => index);

  expect(numbers.map((used) => shareOf(used, 100))).toEqual(numbers);
});

test.each([
  [0, 10, 0],
  [79, 100, 79],
  [799, 1000, 79],
  [800, 1000, 80],
  [999_999, 1_000_000, 99],
  [1, 3, 33],
  [220, 200, 110],
  [0.8, 1, 80],
  [0.57, 1, 57],
])("%d of %d is %d %", (used, limit, share) => {
  expect(shareOf(used, limit)).toBe(share);
});

test.each([
  ["tokens", 1200, "1200 tokens"],
  ["tokens", 0, "0 tokens"],
  ["turns", 3, "3"],
  ["seconds", 12, "12 s"],
  ["seconds", 1.26, "1.3 s"],
  ["seconds", 0.04, "0 s"],
  ["money", 0, "$0.0000"],
  ["money", 0.26, "$0.2600"],
  ["money", 0.00004, "$0.0000"],
  ["money", 1, "$1.00"],
  ["money", 12.345, "$12.35"],
] as const)("%s %d are shown as %s", (kind, amount, text) => {
  expect(textOf(kind, amount)).toBe(text);
});
