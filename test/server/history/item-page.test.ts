import { expect, test } from "vitest";
import { formatAnchor, parseAnchor } from "../../../src/server/history/item-page.js";

test.each([
  { turnId: "u1", includes: true },
  { turnId: "u1", includes: false },
  { turnId: "u1", item: 0, includes: true },
  { turnId: "u1", item: 12, includes: false },
])("the anchor %j survives a cursor", (anchor) => {
  expect(parseAnchor(formatAnchor(anchor))).toEqual(anchor);
});

test.each([
  ['{"turnId":"u1"}', { turnId: "u1", includes: false }],
  ['{"turnId":"u1","item":-1}', { turnId: "u1", includes: false }],
  ['{"turnId":"u1","item":1.5}', { turnId: "u1", includes: false }],
  ['{"turnId":"u1","item":"1","includes":1}', { turnId: "u1", includes: false }],
])("the cursor %s is read as %j", (cursor, anchor) => {
  expect(parseAnchor(cursor)).toEqual(anchor);
});

test.each(["", "x", "1", "null", "[]", "{}", '{"turnId":1}'])(
  "the cursor %j is invalid",
  (cursor) => {
    expect(() => parseAnchor(cursor)).toThrow(`invalid cursor: ${cursor}`);
  },
);

test("a long invalid cursor is cut in the message", () => {
  expect(() => parseAnchor("x".repeat(1000))).toThrow(/^invalid cursor: x{200}$/);
});
