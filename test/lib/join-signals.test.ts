import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import { joinSignals, withSignals } from "../../src/lib/join-signals.js";

test("aborts with the first signal, with its reason, and detaches from the others", () => {
  const [one, two] = [new AbortController(), new AbortController()];
  const { signal } = joinSignals(one.signal, two.signal);

  two.abort("enough");

  expect([signal.aborted, signal.reason]).toEqual([true, "enough"]);
  expect(getEventListeners(one.signal, "abort")).toEqual([]);
});

test("is aborted at once if one of the signals is", () => {
  const { signal } = joinSignals(new AbortController().signal, AbortSignal.abort("before"));

  expect(signal.reason).toBe("before");
});

test("leaves nothing behind at a signal that outlives the work", async () => {
  const long = new AbortController();

  await withSignals([long.signal], async (signal) => signal);
  await withSignals([long.signal], () => Promise.reject(new Error("failed"))).catch(() => {});
  const ended = joinSignals(long.signal);
  ended.end(new Error("over"));

  expect(getEventListeners(long.signal, "abort")).toEqual([]);
  expect(ended.signal.reason).toEqual(new Error("over"));
});
