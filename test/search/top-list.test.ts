import fc from "fast-check";
import { expect, test } from "vitest";
import { TopList } from "../../src/search/top-list.js";

test("keeps the best scores; of equal ones those that compare first", () => {
  const top = new TopList<string>(3, (a, b) => a.length - b.length);
  for (const [item, score] of [
    ["aaaa", 1],
    ["bbb", 5],
    ["cc", 1],
    ["d", 1],
    ["eeeee", 9],
  ] as const) {
    top.add(item, score);
  }
  expect(top.sorted()).toEqual([
    { item: "eeeee", score: 9 },
    { item: "bbb", score: 5 },
    { item: "d", score: 1 },
  ]);
});

test("a limit of zero keeps nothing", () => {
  const top = new TopList<number>(0, (a, b) => a - b);
  top.add(1, 1);
  expect(top.sorted()).toEqual([]);
});

test("the result equals the head of the sorted list", () => {
  const entry = fc.record({ item: fc.nat(30), score: fc.integer({ min: -3, max: 3 }) });
  fc.assert(
    fc.property(
      fc.array(entry, { maxLength: 60 }),
      fc.integer({ min: 1, max: 12 }),
      (all, limit) => {
        const top = new TopList<number>(limit, (a, b) => a - b);
        for (const { item, score } of all) top.add(item, score);
        const sorted = [...all].sort((a, b) => b.score - a.score || a.item - b.item);
        expect(top.sorted()).toEqual(sorted.slice(0, limit));
      },
    ),
  );
});
