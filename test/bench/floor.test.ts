import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Figure, meetsAim, ratioOf } from "../../bench/figure.js";
import { betterOf, findSlow, writeFloor } from "../../bench/floor.js";

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "quire-floor-"));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

const start: Figure = {
  key: "start",
  name: "start",
  value: 60,
  unit: "ms",
  beside: { name: "node -e 0", value: 30 },
};
const rate: Figure = {
  key: "rate",
  name: "rate",
  value: 100,
  unit: "/s",
  beside: { name: "plain", value: 300 },
};

test("a larger ratio is worse, in every unit", () => {
  expect([ratioOf(start), ratioOf(rate)]).toEqual([2, 3]);
  expect(ratioOf({ ...start, scale: { name: "plain loop", value: 10 } })).toBe(6);
});

test("an aim is for the figure itself or for what it has over its yardstick", () => {
  expect(meetsAim(start)).toBe(undefined);
  expect(meetsAim({ ...start, aim: { atMost: 59 } })).toBe(false);
  expect(meetsAim({ ...start, aim: { atMostOver: 30 } })).toBe(true);
  expect(meetsAim({ ...rate, aim: { atLeast: 101 } })).toBe(false);
});

test("the floor tolerates a slower machine, but not one slower figure", async () => {
  const file = join(folder, "floor.json");
  await writeFloor(file, [start, rate]);
  const slower = { ...start, value: 600, beside: { ...start.beside, value: 300 } };

  expect(await findSlow(file, [slower, rate])).toEqual([]);
  expect(
    await findSlow(file, [
      { ...start, value: 200 },
      { ...rate, value: 20 },
    ]),
  ).toEqual([
    "start is 6.667 × node -e 0; it was 2.000, and 3 times that is too much",
    "rate is 15.000 × plain; it was 3.000, and 3 times that is too much",
  ]);
});

test("a figure that is measured again has its better value", () => {
  const slow = { ...start, value: 300 };
  const slowRate = { ...rate, value: 10 };

  expect(betterOf([slow, rate], [start, slowRate])).toEqual([start, rate]);
  expect(betterOf([start, rate], [slow])).toEqual([start, rate]);
});

test("a figure without a floor is an error", async () => {
  const file = join(folder, "floor.json");
  await writeFloor(file, [start]);

  expect(await findSlow(file, [rate])).toEqual([`rate is not in ${file}; add it by --write-floor`]);
});
