import { expect, test } from "vitest";
import {
  agoText,
  compactNumber,
  counted,
  durationText,
  groupedNumber,
} from "../../../src/tui/text/numbers.js";

test.each([
  [0, "0 lines"],
  [1, "1 line"],
  [12, "12 lines"],
])("%i is %s", (count, text) => {
  expect(counted(count, "line")).toBe(text);
});

test.each([
  [0, "0"],
  [999, "999"],
  [1000, "1,000"],
  [12_345.6, "12,346"],
  [1_234_567, "1,234,567"],
])("%d is grouped as %s", (value, text) => {
  expect(groupedNumber(value)).toBe(text);
});

test.each([
  [0, "0"],
  [950.4, "950"],
  [1000, "1K"],
  [12_345, "12.3K"],
  [272_000, "272K"],
  [1_240_000, "1.24M"],
  [99_999_999, "100M"],
])("%d is shortened to %s", (value, text) => {
  expect(compactNumber(value)).toBe(text);
});

test.each([
  [-5, "0.0s"],
  [449, "0.4s"],
  [999, "1.0s"],
  [1000, "1s"],
  [59_999, "59s"],
  [60_000, "1m 00s"],
  [185_000, "3m 05s"],
  [3_600_000, "1h 00m"],
  [3_725_000, "1h 02m"],
])("%d ms take %s", (ms, text) => {
  expect(durationText(ms)).toBe(text);
});

test.each([
  [0, "just now"],
  [59_000, "just now"],
  [5 * 60_000, "5 min ago"],
  [2 * 3_600_000, "2 h ago"],
  [24 * 3_600_000, "yesterday"],
  [47 * 3_600_000, "yesterday"],
  [72 * 3_600_000, "3 days ago"],
])("%d ms are %s", (ms, text) => {
  expect(agoText(ms)).toBe(text);
});
