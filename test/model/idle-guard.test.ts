import { setTimeout as sleep } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { IdleGuard } from "../../src/model/response-body.js";

/** Creates a guard whose timeout is driven by fake timers; restores them at the end. */
function createGuard(limitMs = 1000, caller = new AbortController()) {
  vi.useFakeTimers();
  const guard = new IdleGuard(limitMs, caller.signal);
  return {
    guard,
    caller,
    [Symbol.dispose]() {
      guard.end();
      vi.useRealTimers();
    },
  };
}

test("the signal aborts after a period without activity", () => {
  using scene = createGuard();
  vi.advanceTimersByTime(999);
  expect(scene.guard.signal.aborted).toBe(false);
  vi.advanceTimersByTime(1);

  expect([scene.guard.signal.aborted, scene.guard.timedOut]).toEqual([true, true]);
  expect(() => scene.guard.throwIfCancelled()).not.toThrow();
});

test("activity restarts the period", () => {
  using scene = createGuard();
  for (let turn = 0; turn < 5; turn++) {
    vi.advanceTimersByTime(900);
    scene.guard.touch();
  }

  expect(scene.guard.timedOut).toBe(false);
});

test("a paused period does not end until the next activity", () => {
  using scene = createGuard();
  scene.guard.pause();
  vi.advanceTimersByTime(10_000);
  expect(scene.guard.timedOut).toBe(false);

  scene.guard.touch();
  vi.advanceTimersByTime(1000);
  expect(scene.guard.timedOut).toBe(true);
});

test("the caller's abort is passed on with its reason, and is not a timeout", () => {
  using scene = createGuard();
  scene.caller.abort(new Error("stop"));

  expect(scene.guard.signal.reason).toMatchObject({ message: "stop" });
  expect(scene.guard.timedOut).toBe(false);
  expect(() => scene.guard.throwIfCancelled()).toThrow("stop");
});

test("a caller that has aborted before aborts the guard at once", () => {
  const caller = new AbortController();
  caller.abort(new Error("stop"));
  using scene = createGuard(1000, caller);

  expect(scene.guard.signal.aborted).toBe(true);
});

test("after its end a guard ignores time and caller", () => {
  using scene = createGuard();
  scene.guard.end();
  vi.advanceTimersByTime(10_000);
  scene.caller.abort(new Error("late"));

  expect(scene.guard.signal.aborted).toBe(false);
});

test("a limit beyond that of timers does not fire at once", async () => {
  const guard = new IdleGuard(2 ** 40, new AbortController().signal);
  await sleep(5);
  guard.end();

  expect(guard.timedOut).toBe(false);
});
