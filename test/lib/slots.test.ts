import { expect, test } from "vitest";
import { createDeferred } from "../../src/lib/async.js";
import { Slots } from "../../src/lib/slots.js";

test("work beyond the slots waits, in its order, also behind work that fails", async () => {
  const slots = new Slots(2);
  const started: number[] = [];
  const ends = [0, 1, 2, 3].map(() => createDeferred<void>());
  const results = ends.map(({ promise }, at) =>
    slots.run(async () => {
      started.push(at);
      await promise;
      return at;
    }),
  );
  await Promise.resolve();
  expect(started).toEqual([0, 1]);

  ends[1]?.reject(new Error("no"));
  await expect(results[1]).rejects.toThrow("no");
  expect(started).toEqual([0, 1, 2]);

  for (const { resolve } of ends) resolve();
  expect((await Promise.allSettled(results)).map(({ status }) => status)).toEqual([
    "fulfilled",
    "rejected",
    "fulfilled",
    "fulfilled",
  ]);
  expect(await slots.run(async () => 5)).toBe(5);
});
