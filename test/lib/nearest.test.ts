import { expect, test } from "vitest";
import { nearest } from "../../src/lib/nearest.js";

const names = ["exec", "resume", "review", "doctor"];

test.each([
  ["exce", "exec"],
  ["ecec", "exec"],
  ["exe", "exec"],
  ["reusme", "resume"],
  ["reviews", "review"],
  ["doctro", "doctor"],
])("%s is a slip for %s", (typed, meant) => {
  expect(nearest(typed, names, () => 1)).toBe(meant);
});

test.each(["hello", "", "xeec d"])("%j is similar to none of them", (typed) => {
  expect(nearest(typed, names, () => 1)).toBeUndefined();
});
