import { expect, test } from "vitest";
import { systemClock } from "../../../src/lib/clock.js";
import type { Thread } from "../../../src/server/thread/thread.js";
import { Unloader } from "../../../src/server/thread/unload.js";

/** Creates threads and an unloader that records which ones it unloads. */
function unloading(names: string[], options: { maxUnwanted?: number; wanted?: string[] } = {}) {
  let now = 0;
  const threads = names.map((id) => ({ id, isBusy: false }) as Thread);
  const gone: string[] = [];
  const unloader = new Unloader({
    clock: { ...systemClock, now: () => now },
    threads: () => threads.filter(({ id }) => !gone.includes(id)),
    isWanted: ({ id }) => options.wanted?.includes(id) ?? false,
    unload: async ({ id }) => void gone.push(id),
    delayMs: 1000,
    ...(options.maxUnwanted === undefined ? {} : { maxUnwanted: options.maxUnwanted }),
  });
  const sweepAt = async (ms: number) => {
    now = ms;
    await unloader.sweep();
    return [...gone];
  };
  return { threads, sweepAt };
}

test("an unwanted thread is unloaded after the delay", async () => {
  const { sweepAt } = unloading(["a", "b"], { wanted: ["b"] });

  expect([await sweepAt(0), await sweepAt(999), await sweepAt(1000)]).toEqual([[], [], ["a"]]);
});

test("a busy or wanted thread restarts the delay", async () => {
  const wanted = ["a"];
  const { threads, sweepAt } = unloading(["a", "b"], { wanted });
  const busy = threads[1] as { isBusy: boolean };

  busy.isBusy = true;
  await sweepAt(0);
  wanted.length = 0;
  busy.isBusy = false;
  const after = [await sweepAt(900), await sweepAt(1500), await sweepAt(1900)];

  expect(after).toEqual([[], [], ["a", "b"]]);
});

test("above the limit the oldest unwanted threads are unloaded", async () => {
  const { sweepAt } = unloading(["a", "b", "c"], { maxUnwanted: 1 });

  expect(await sweepAt(0)).toEqual(["a", "b"]);
});
