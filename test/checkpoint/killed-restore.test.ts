import { expect, test } from "vitest";
import { killRestores } from "./killed-restore.js";

test("a killed restore leaves the old state or the new one", { timeout: 60_000 }, async () => {
  let seed = 7;
  const random = () => {
    seed = (seed * 16807) % 2147483647;
    return seed / 2147483647;
  };

  const { old, new: restored, midway, between } = await killRestores(16, random);

  expect(between).toEqual([]);
  expect(old + restored).toBe(16);
  expect({ old: old > 0, restored: restored > 0, midway: midway > 0 }).toEqual({
    old: true,
    restored: true,
    midway: true,
  });
});
