import { expect, test } from "vitest";
import { lazy } from "../../src/lib/async.js";

test("a lazy value is created on the first call and shared by the next", () => {
  let calls = 0;
  const value = lazy(() => ({ number: ++calls }));

  expect(value.created).toBeUndefined();
  expect(value()).toBe(value());
  expect(value.created).toEqual({ number: 1 });
});

test("a lazy value may be undefined", () => {
  let calls = 0;
  const value = lazy(() => void calls++);

  value();
  value();

  expect(calls).toBe(1);
});

test("a lazy value whose creation throws is created by the next call", () => {
  let calls = 0;
  const value = lazy(() => {
    if (++calls === 1) throw new Error("not yet");
    return calls;
  });

  expect(value).toThrow("not yet");
  expect(value.created).toBeUndefined();
  expect(value()).toBe(2);
});
