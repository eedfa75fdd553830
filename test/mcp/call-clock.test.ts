import { expect, test } from "vitest";
import { CallClock, durationText, unlessAborted } from "../../src/mcp/call-clock.js";

test("the time of a clock that was paused does not run", async () => {
  const paused = new CallClock(50);
  paused.pause();
  paused.pause();
  paused.resume();

  await aborted(new CallClock(100).signal);
  const wasExpired = paused.expired;
  paused.resume();
  await aborted(paused.signal);

  expect([wasExpired, paused.expired]).toEqual([false, true]);
});

test("a stopped clock neither expires nor follows the outer signal", async () => {
  const outer = new AbortController();
  const clock = new CallClock(10, outer.signal);
  clock.pause();
  clock.stop();
  clock.resume();

  await aborted(new CallClock(50).signal);
  outer.abort();

  expect([clock.expired, clock.signal.aborted]).toEqual([false, false]);
});

test("the outer signal ends a clock with its own reason", () => {
  const outer = new AbortController();
  const clock = new CallClock(Number.POSITIVE_INFINITY, outer.signal);
  outer.abort("enough");

  expect([clock.expired, clock.signal.reason]).toEqual([false, "enough"]);
  expect(new CallClock(1000, outer.signal).signal.reason).toBe("enough");
});

test("formats durations", () => {
  expect([300, 1000, 1500, 60_000].map(durationText)).toEqual(["300ms", "1s", "1.5s", "60s"]);
});

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve()));
}

test("unlessAborted settles like its promise until the signal aborts", async () => {
  const abort = new AbortController();
  const pending = unlessAborted(new Promise(() => {}), abort.signal);

  expect(await unlessAborted(Promise.resolve(1), abort.signal)).toBe(1);
  await expect(unlessAborted(Promise.reject(new Error("own")), abort.signal)).rejects.toThrow(
    "own",
  );
  abort.abort(new Error("given up"));

  await expect(pending).rejects.toThrow("given up");
  await expect(unlessAborted(Promise.resolve(1), abort.signal)).rejects.toThrow("given up");
});

test("the reason of an expired clock names the limit", async () => {
  const clock = new CallClock(5);
  await aborted(clock.signal);

  expect(clock.signal.reason).toEqual(new Error("timed out after 5ms"));
});
