import { expect, test } from "vitest";
import { History } from "../../../src/tui/composer/history.js";

test("[terminal B8] a message of several lines is skipped with one key", () => {
  const history = new History();
  history.addEarlier(["oldest"]);
  history.add("many\nlines");
  history.add("newest");

  expect(history.isBrowsing("", true)).toBe(true);
  expect(history.move(1, "")).toBe("newest");
  expect(history.move(1, "newest")).toBe("many\nlines");
  expect(history.isBrowsing("many\nlines", true)).toBe(true);
  expect(history.isBrowsing("many\nlines", false)).toBe(false);
  expect(history.isBrowsing("many\nlines, changed", true)).toBe(false);
  expect(history.move(1, "many\nlines")).toBe("oldest");
  expect(history.move(1, "oldest")).toBeUndefined();
  expect(history.move(-1, "oldest")).toBe("many\nlines");
  expect(history.move(-1, "many\nlines")).toBe("newest");
  expect(history.move(-1, "newest")).toBe("");
  expect(history.move(-1, "")).toBeUndefined();
});

test("browsing restarts at the newest message, and skips repeats", () => {
  const history = new History();
  history.add("one");
  history.add("two");
  history.add("two");
  expect(history.move(1, "")).toBe("two");
  expect(history.move(1, "two")).toBe("one");
  expect(history.move(1, "")).toBe("two");
});
