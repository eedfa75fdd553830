import { expect, test } from "vitest";
import { expectIn, expectSame } from "../../interop/expect.js";

test("equal lists pass; of others both are told from the first difference on", () => {
  expect(() => expectSame("it", ["a", "b"], ["a", "b"])).not.toThrow();
  expect(() => expectSame("it", ["a", "x"], ["a", "b", "c"])).toThrow(
    "it differs from line 2 on\n    expected:\n      b\n      c\n    got:\n      x",
  );
  expect(() => expectSame("it", ["a", "b"], ["a"])).toThrow(
    "it differs from line 2 on\n    expected:\n      (nothing)\n    got:\n      b",
  );
});

test("a text that lacks a piece is told with the piece", () => {
  expect(() => expectIn("it", "abc", "a", "c")).not.toThrow();
  expect(() => expectIn("it", "abc", "a", "d")).toThrow('it lacks "d": abc');
});
