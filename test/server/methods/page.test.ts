import { expect, test } from "vitest";
import { pageOf, startOf } from "../../../src/server/methods/page.js";

const all = ["a", "b", "c", "d", "e"];

test.each([
  [{}, { data: all, nextCursor: null }],
  [{ limit: 2 }, { data: ["a", "b"], nextCursor: "2" }],
  [
    { cursor: "2", limit: 2 },
    { data: ["c", "d"], nextCursor: "4" },
  ],
  [
    { cursor: "4", limit: 2 },
    { data: ["e"], nextCursor: null },
  ],
  [{ cursor: "5" }, { data: [], nextCursor: null }],
  [{ limit: 0 }, { data: ["a"], nextCursor: "1" }],
])("the page %j is %j", (request, page) => {
  expect(pageOf(all, request, "letters")).toEqual(page);
});

test("a cursor behind the end names the size of the list", () => {
  expect(() => pageOf(all, { cursor: "6" }, "letters")).toThrow("cursor 6 exceeds total letters 5");
});

test.each(["", "-1", "1.5", "x", "9".repeat(16)])("the cursor %j is invalid", (cursor) => {
  expect(() => startOf(cursor)).toThrow(`invalid cursor: ${cursor}`);
});
