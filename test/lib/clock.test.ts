import { expect, test } from "vitest";
import { systemClock } from "../../src/lib/clock.js";

test("the time is that of the system", () => {
  const before = Date.now();
  const now = systemClock.now();

  expect(now).toBeGreaterThanOrEqual(before);
  expect(now).toBeLessThanOrEqual(Date.now());
});

test("a sleep ends by itself, or rejects with the reason of its signal", async () => {
  const controller = new AbortController();
  await systemClock.sleep(1, controller.signal);
  const sleeping = systemClock.sleep(60_000, controller.signal);

  controller.abort(new Error("no longer needed"));

  await expect(sleeping).rejects.toThrow("no longer needed");
  await expect(systemClock.sleep(0, controller.signal)).rejects.toThrow("no longer needed");
});

test("a delay that is longer than any timer does not end at once", async () => {
  const stop = new AbortController();
  const long = systemClock.sleep(1e12, stop.signal).catch(() => "stopped");

  await systemClock.sleep(10, new AbortController().signal);
  stop.abort(new Error("enough"));

  expect(await long).toBe("stopped");
});
