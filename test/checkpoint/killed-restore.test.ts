import { expect, test } from "vitest";
import { killRestores } from "./killed-restore.js";

test("a killed restore leaves the old state or the new one", { timeout: 60_000 }, async () => {
  let seed = 7;
  const random = () => {
    seed = (seed * 16807) % 2147483647;
    return seed / 2147483647;
  };

  const { old, new: restored, between } = await killRestores(8, random);

  expect(between).toEqual([]);
  expect(old + restored).toBe(8);
});
