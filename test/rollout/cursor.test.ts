import fc from "fast-check";
import { expect, test } from "vitest";
import {
  type Cursor,
  cursorTime,
  formatCursor,
  isAfter,
  parseCursor,
  toTimeCursor,
} from "../../src/rollout/cursor.js";
import { fileTime } from "../../src/rollout/file-name.js";

const uuid = "0192c7a1-0000-7000-8000-000000000001";

test.each<[string, Cursor | undefined]>([
  [`2025-01-31T12-00-00|${uuid}`, { time: "2025-01-31T12-00-00", id: uuid }],
  [`2025-01-31T12-00-00|${uuid.toUpperCase()}`, { time: "2025-01-31T12-00-00", id: uuid }],
  [`2025-01-31T12:00:00Z|${uuid}`, { time: "2025-01-31T12-00-00", id: uuid }],
  [`2025-01-31T12:00:00.5+02:00|${uuid}`, { time: "2025-01-31T10-00-00", id: uuid }],
  [`2025-02-30T12-00-00|${uuid}`, undefined],
  [`2025-01-31 12:00:00|${uuid}`, undefined],
  ["2025-01-31T12-00-00|not-a-uuid", undefined],
  ["2025-01-31T12-00-00|", undefined],
  [`|${uuid}`, undefined],
  ["2025-01-31T12-00-00", undefined],
  ["", undefined],
  ["99", undefined],
])("parses the cursor %j", (token, expected) => {
  expect(parseCursor(token)).toEqual(expected);
});

test("a formatted cursor parses to the same position", () => {
  const cursor = { time: "2025-01-31T12-00-00", id: uuid };

  expect(parseCursor(formatCursor(cursor))).toEqual(cursor);
});

test.each<[string, Cursor, boolean]>([
  ["an earlier time", { time: "2025-01-30T00-00-00", id: "f" }, true],
  ["a later time", { time: "2025-02-01T00-00-00", id: "0" }, false],
  ["the same time and a smaller id", { time: "2025-01-31T12-00-00", id: "a" }, true],
  ["the same time and a larger id", { time: "2025-01-31T12-00-00", id: "c" }, false],
  ["the cursor itself", { time: "2025-01-31T12-00-00", id: "b" }, false],
])("%s comes after the cursor: newest first", (_name, other, expected) => {
  expect(isAfter(other, { time: "2025-01-31T12-00-00", id: "b" })).toBe(expected);
});

test("times of cursors are UTC, to the second", () => {
  expect(cursorTime(Date.UTC(2025, 0, 31, 12, 0, 0, 999))).toBe("2025-01-31T12-00-00");
});

test("a time alone names the position of a UUID v7 exactly", () => {
  const anyMoment = fc.record({
    ms: fc.integer({ min: Date.UTC(2024, 0), max: Date.UTC(2030, 0) }),
    within: fc.integer({ min: 0, max: 0xfff }),
  });

  fc.assert(
    fc.property(anyMoment, ({ ms, within }) => {
      const stamp = ms.toString(16).padStart(12, "0");
      const digits = within.toString(16).padStart(3, "0");
      const id = `${stamp.slice(0, 8)}-${stamp.slice(8)}-7${digits}-8000-000000000001`;
      const cursor = { time: fileTime(new Date(ms)), id };

      const parsed = parseCursor(toTimeCursor(cursor) ?? "");

      expect(parsed?.time).toBe(cursor.time);
      expect(parsed?.id.slice(0, 18)).toBe(id.slice(0, 18));
    }),
  );
});

test("an id without a time, or with another time than its file, has no time cursor", () => {
  const time = "2025-01-31T12-00-00";

  expect(toTimeCursor({ time, id: "0192c7a1-0000-4000-8000-000000000001" })).toBeUndefined();
  expect(toTimeCursor({ time, id: uuid })).toBeUndefined();
});
