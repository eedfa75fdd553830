import { describe, expect, test } from "vitest";
import {
  bytesText,
  columnLines,
  counted,
  dateText,
  parseSpan,
  visible,
  visibleLines,
} from "../../src/cli/print.js";

describe("columns", () => {
  test.each([
    [[], []],
    [[["a"]], ["a"]],
    [
      [
        ["a", "b"],
        ["long", "c"],
      ],
      ["a     b", "long  c"],
    ],
    [[["a", "", "c"]], ["a    c"]],
    [
      [["a", "b"], ["x"]],
      ["a  b", "x"],
    ],
    [[["a\u001b[1m", "b"]], ["a\\u{1b}[1m  b"]],
  ])("of %j are aligned", (rows, lines) => {
    expect(columnLines(rows)).toEqual(lines);
  });
});

test.each([
  [0, "0 B"],
  [1023, "1023 B"],
  [1024, "1.0 KiB"],
  [1536, "1.5 KiB"],
  [102_400, "100 KiB"],
  [5 * 1024 ** 2, "5.0 MiB"],
  [3 * 1024 ** 4, "3.0 TiB"],
  [5000 * 1024 ** 4, "5000 TiB"],
])("%i bytes are %s", (bytes, text) => {
  expect(bytesText(bytes)).toBe(text);
});

test("a date is local, to the minute", () => {
  expect(dateText(new Date(2026, 0, 3, 4, 5).getTime())).toBe("2026-01-03 04:05");
});

test.each([
  ["12h", 12 * 3_600_000],
  [" 30d ", 30 * 24 * 3_600_000],
  ["4w", 28 * 24 * 3_600_000],
  ["6m", 180 * 24 * 3_600_000],
  ["1y", 365 * 24 * 3_600_000],
  ["0d", 0],
])("the span %j is %i ms", (text, ms) => {
  expect(parseSpan(text)).toBe(ms);
});

test.each(["", "d", "12", "1.5h", "-1d", "1 d", "1x", "9999999d"])("%j is no span", (text) => {
  expect(parseSpan(text)).toBeUndefined();
});

test.each([
  [0, "0 sessions"],
  [1, "1 session"],
  [2, "2 sessions"],
])("%i is counted as %s", (count, text) => {
  expect(counted(count, "session")).toBe(text);
});

test.each([
  ["plain ä 日本", "plain ä 日本"],
  ["a\nb\tc", "a\\nb c"],
  ["\u001b[31m", "\\u{1b}[31m"],
  ["\u202eevil", "\\u{202e}evil"],
  ["\u2028", "\\u{2028}"],
  ["\u200b", "\\u{200b}"],
])("%j is visible on one line", (text, shown) => {
  expect(visible(text)).toBe(shown);
});

test("of several lines the line ends stay", () => {
  expect(visibleLines("a\u0007\nb\r\n")).toBe("a\\u{7}\nb\\u{d}\n");
});
