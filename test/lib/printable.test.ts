import { expect, test } from "vitest";
import { printable } from "../../src/lib/printable.js";

test.each([
  ["colours and the cursor", "\x1b[31mred\x1b[0m\x1b[2J\x1b[1;1H", "red"],
  ["titles, also unfinished ones", "a\x1b]0;title\x07b\x1b]52;c;ZXZpbA==\x1b\\c\x1b]0;open", "abc"],
  ["device control and its kin", "a\x1bPq…\x1b\\b\x1b_x\x1b\\c\x1b^y\x1b\\d", "abcd"],
  ["the one-byte forms", "a\x9b31mb\x9d0;t\x9cc", "abc"],
  ["single controls", "a\x07b\x08c\x7fd\x1bce\x1b", "abcde"],
  ["the direction of reading", "a\u202eb\u2066c", "abc"],
])("of what a terminal would obey, %s are taken out", (_, text, shown) => {
  expect(printable(text)).toBe(shown);
});

test("line breaks, tabs and letters of all kinds stay", () => {
  expect(printable("a\tb\r\nc\rd\ne é 漢字 🙂")).toBe("a\tb\nc\nd\ne é 漢字 🙂");
});
