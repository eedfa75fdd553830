import fc from "fast-check";
import { expect, test } from "vitest";
import { mergeSorted, sortInSlices, TimeSlice } from "../../src/lib/time-slice.js";

const compare = (one: number, other: number) => one - other;

test("other work runs between the slices of a loop", async () => {
  let isServed = false;
  setImmediate(() => {
    isServed = true;
  });
  const slice = new TimeSlice();

  while (!isServed) if (slice.isOver) await slice.next();

  expect(slice.isOver).toBe(false);
});

test("a sort in slices is the sort of the language", async () => {
  const lists = fc.array(fc.record({ key: fc.integer({ min: 0, max: 9 }), id: fc.integer() }));
  const byKey = (one: { key: number }, other: { key: number }) => one.key - other.key;
  await fc.assert(
    fc.asyncProperty(lists, lists, async (list, other) => {
      expect(await sortInSlices(list, byKey)).toEqual(list.toSorted(byKey));
      const both = [list, other].map((one) => one.toSorted(byKey));
      expect(mergeSorted(both[0] ?? [], both[1] ?? [], byKey)).toEqual(both.flat().toSorted(byKey));
    }),
  );
});

test("long lists are sorted in runs", async () => {
  const long = Array.from({ length: 20_001 }, (_, n) => (n * 7919) % 20_011);

  expect(await sortInSlices(long, compare)).toEqual(long.toSorted(compare));
});
