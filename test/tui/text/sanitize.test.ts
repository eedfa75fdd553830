import fc from "fast-check";
import { expect, test } from "vitest";
import { reveal, sanitize } from "../../../src/tui/text/sanitize.js";

const controls = /[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/;

/** Text full of control sequences. */
const hostile = fc
  .array(
    fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom(
        "\x1b[2J",
        "\x1b]0;title\x07",
        "\x1b]8;;http://x\x1b\\",
        "\x1b]52;c;AAAA\x07",
        "\x1bP+q544e\x1b\\",
        "\x9b31m",
        "\x1b",
        "\x1b[",
        "\x1b]",
        "\x07",
        "\x08",
        "\r",
        "\x7f",
        "\u202e",
        "\u2066",
        "\x1b[?1049h",
        "\x1bc",
        "\ud800",
        "\x9d0;t\x9c",
      ),
    ),
  )
  .map((parts) => parts.join(""));

test("no control character survives, whatever the text and its split", () => {
  fc.assert(
    fc.property(hostile, fc.nat(), (text, at) => {
      const cut = at % (text.length + 1);
      for (const piece of [text, text.slice(0, cut), text.slice(cut)]) {
        expect(sanitize(piece)).not.toMatch(controls);
        expect(reveal(piece)).not.toMatch(controls);
      }
    }),
    { numRuns: 500 },
  );
});

test("plain text is unchanged", () => {
  const text = "one\ntwo  three\n\n日本語 ünïcode 👩‍👩‍👧 \u{1f600}";
  expect(sanitize(text)).toBe(text);
  expect(reveal(text)).toBe(text);
});

test.each([
  ["colours go with their sequence", "\x1b[1;31mred\x1b[0m", "red"],
  ["a title goes with its text", "a\x1b]0;evil\x07b", "ab"],
  ["a link keeps only its words", "\x1b]8;;http://evil\x1b\\words\x1b]8;;\x1b\\", "words"],
  ["a string without an end takes no more than its line", "a\x1b]0;evil\nb", "a\nb"],
  ["a line written over shows what was written last", "10%\r50%\r100%\ndone", "100%\ndone"],
  ["line ends of other systems are line ends", "a\r\nb\r\n", "a\nb\n"],
  ["tabs become spaces", "a\tb", "a    b"],
  ["an escape alone goes", "a\x1bcb", "ab"],
])("%s", (_, text, shown) => {
  expect(sanitize(text)).toBe(shown);
});

test("hidden characters in a command are made visible", () => {
  expect(reveal("rm x\x1b[8m -rf /\x1b[0m")).toBe("rm x␛[8m -rf /␛[0m");
  expect(reveal("echo \u202egnp.exe")).toBe("echo <202E>gnp.exe");
  expect(reveal("a\u200bb")).toBe("a<200B>b");
});
