import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Hold } from "../../src/exec/hold.js";
import { createDeferred } from "../../src/lib/async.js";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** Starts a wait of one second; returns its outcome as far as it is known. */
function wait(hold: Hold) {
  const done = createDeferred<void>();
  const aborts = new AbortController();
  const state = { outcome: "waiting", done: done.resolve, abort: () => aborts.abort() };
  void hold.waitFor(done.promise, 1_000, aborts.signal).then((outcome) => {
    state.outcome = outcome;
  });
  return state;
}

test("without a hold the time is up after its limit", async () => {
  const waiting = wait(new Hold());

  await vi.advanceTimersByTimeAsync(999);
  expect(waiting.outcome).toBe("waiting");
  await vi.advanceTimersByTimeAsync(1);
  expect(waiting.outcome).toBe("timeout");
});

test("time during a hold does not count, also if there are several", async () => {
  const hold = new Hold();
  const waiting = wait(hold);

  for (const heldMs of [5_000, 300]) {
    await vi.advanceTimersByTimeAsync(400);
    hold.set(true);
    hold.set(true);
    await vi.advanceTimersByTimeAsync(heldMs);
    hold.set(false);
  }
  await vi.advanceTimersByTimeAsync(199);
  expect(waiting.outcome).toBe("waiting");
  await vi.advanceTimersByTimeAsync(1);
  expect(waiting.outcome).toBe("timeout");
});

test.each(["done", "abort"] as const)("a hold does not delay the end by %s", async (end) => {
  const hold = new Hold();
  hold.set(true);
  const waiting = wait(hold);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(waiting.outcome).toBe("waiting");

  waiting[end]();
  await vi.advanceTimersByTimeAsync(0);

  expect(waiting.outcome).toBe(end);
});
