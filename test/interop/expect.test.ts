import { expect, test } from "vitest";
import { expectIn, expectSame } from "../../interop/expect.js";

test("equal lists pass; different ones are reported from the first difference on", () => {
  expect(() => expectSame("it", ["a", "b"], ["a", "b"])).not.toThrow();
  expect(() => expectSame("it", ["a", "x"], ["a", "b", "c"])).toThrow(
    "it differs from line 2 on\n    expected:\n      b\n      c\n    got:\n      x",
  );
  expect(() => expectSame("it", ["a", "b"], ["a"])).toThrow(
    "it differs from line 2 on\n    expected:\n      (nothing)\n    got:\n      b",
  );
});

test("a missing part of a text is reported", () => {
  expect(() => expectIn("it", "abc", "a", "c")).not.toThrow();
  expect(() => expectIn("it", "abc", "a", "d")).toThrow('it lacks "d": abc');
});
