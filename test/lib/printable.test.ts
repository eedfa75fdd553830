import { describe, expect, test } from "vitest";
import {
  asString,
  boundaryAfter,
  boundaryBefore,
  charCount,
  lineCount,
  linesOf,
  printable,
  splitText,
  takeFirstBytes,
  takeLastBytes,
} from "../../src/lib/text.js";

const esc = "\x1b";

describe("printable text", () => {
  test.each([
    ["plain", "plain"],
    ["two\nlines\tand a tab", "two\nlines\tand a tab"],
    ["a\r\nb\rc", "a\nb\nc"],
    [`${esc}[31mred${esc}[0m`, "red"],
    [`${esc}[2J${esc}[1;1Htop`, "top"],
    [`${esc}[?25lhidden${esc}[?25h`, "hidden"],
    [`${esc}]0;title\x07text`, "text"],
    [`${esc}]8;;http://x${esc}\\link${esc}]8;;${esc}\\`, "link"],
    [`${esc}]52;c;aGk=\x07copy`, "copy"],
    [`${esc}Pq#0${esc}\\image`, "image"],
    ["\x9b31mred", "red"],
    ["\x9d0;title\x9ctext", "text"],
    [`${esc}cfresh`, "fresh"],
    [`${esc}(0line`, "line"],
    [`end${esc}`, "end"],
    [`end${esc}[`, "end"],
    ["bell\x07 back\x08space", "bell backspace"],
    ["nul\0 del\x7f", "nul del"],
    ["a\u202eb\u2066c\u2069", "abc"],
    ["é 日本 😀", "é 日本 😀"],
    ["", ""],
  ])("%j is %j", (text, expected) => {
    expect(printable(text)).toBe(expected);
  });
});

describe("texts cut between characters", () => {
  // é has 2 bytes, 日 3, 😀 4.
  test.each([
    ["abcdef", 2, 2, "ab", "ef", 2],
    ["abc", 5, 5, "abc", "", 0],
    ["abc", 2, 5, "ab", "c", 0],
    ["aéb", 2, 1, "a", "b", 1],
    ["日本語", 4, 4, "日", "語", 1],
    ["😀😀", 3, 3, "", "", 2],
    ["😀😀", 4, 0, "😀", "", 1],
    ["x", 0, 0, "", "", 1],
    ["", 3, 3, "", "", 0],
  ])("%j with %d and %d bytes", (text, headBytes, tailBytes, head, tail, removedChars) => {
    expect(splitText(text, headBytes, tailBytes)).toEqual({ head, tail, removedChars });
    expect(takeFirstBytes(text, headBytes)).toBe(head);
  });

  test.each([
    ["日本語", 5, "語"],
    ["日本語", 6, "本語"],
    ["abc", 0, ""],
    ["abc", 99, "abc"],
  ])("the last bytes of %j, %d of them, are %j", (text, bytes, expected) => {
    expect(takeLastBytes(text, bytes)).toBe(expected);
  });

  test("binary data is cut close to the limit", () => {
    const bytes = new Uint8Array(100).fill(0x80);

    expect(boundaryBefore(bytes, 50)).toBe(47);
    expect(boundaryAfter(bytes, 50)).toBe(53);
    expect([boundaryBefore(bytes, -5), boundaryAfter(bytes, 500)]).toEqual([0, 100]);
  });
});

test.each([
  ["", [], 0],
  ["\n", [""], 1],
  ["a", ["a"], 1],
  ["a\n", ["a"], 1],
  ["a\nb", ["a", "b"], 2],
  ["a\r\nb\r\n", ["a", "b"], 2],
  ["a\n\n", ["a", ""], 2],
  ["\n\na", ["", "", "a"], 3],
])("%j has the lines %j", (text, lines, count) => {
  expect(linesOf(text)).toEqual(lines);
  expect(lineCount(text)).toBe(count);
});

test.each([
  ["", 0],
  ["abc", 3],
  ["é日😀", 3],
  ["e\u0301", 2],
])("%j has %d characters", (text, count) => {
  expect(charCount(text)).toBe(count);
});

test.each([
  ["", ""],
  ["x", "x"],
  [5, undefined],
  [null, undefined],
  [["x"], undefined],
])("%j as a string is %j", (value, expected) => {
  expect(asString(value)).toBe(expected);
});
