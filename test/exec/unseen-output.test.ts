import { expect, test } from "vitest";
import { unseenOutput } from "../../src/exec/unseen-output.js";

const cases: [name: string, seen: string, text: string, isTruncated: boolean, unseen: string][] = [
  ["the first output", "", "one\n", false, "one\n"],
  ["more output", "one\n", "one\ntwo\n", false, "two\n"],
  ["nothing new", "one\n", "one\n", false, ""],
  ["a line that was overwritten", "one\n10 %", "one\n20 %", false, "20 %"],
  ["a line that became shorter", "one\nabc", "one\nab", false, "ab"],
  ["a screen that was cleared", "one\n", "two\n", false, "two\n"],
  ["output without its beginning", "one\ntwo\n", "two\nthree\n", true, "two\nthree\n"],
  ["output without its beginning, after a known part", "two\n", "two\nthree\n", true, "three\n"],
];

test.each(cases)("%s", (_, seen, text, isTruncated, unseen) => {
  expect(unseenOutput(seen, text, isTruncated)).toBe(unseen);
});
