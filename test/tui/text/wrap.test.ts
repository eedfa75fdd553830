import fc from "fast-check";
import { expect, test } from "vitest";
import { cutUnbroken, hyperlink } from "../../../src/tui/text/hyperlink.js";
import { hangProse, truncate, widthOf, wrap } from "../../../src/tui/text/layout.js";
import { oneLine, sanitize } from "../../../src/tui/text/sanitize.js";

test.each([
  ["lines are broken between words", "one two three", 8, ["one two", "three"]],
  ["spaces at a break go, those at the start stay", "  one   two", 6, ["  one", "two"]],
  ["a word that is too long is cut", "a bcdefgh i", 4, ["a", "bcde", "fgh", "i"]],
  ["line ends stay", "a\n\nb", 4, ["a", "", "b"]],
  ["wide characters are not cut in half", "漢字漢", 3, ["漢", "字", "漢"]],
  ["what belongs together stays together", "👍🏽👍🏽", 2, ["👍🏽", "👍🏽"]],
  ["a line takes at least a character", "漢字", 1, ["漢", "字"]],
])("%s", (_, text, width, lines) => {
  expect(wrap(text, width)).toEqual(lines);
});

test("a style continues on the next line and ends where it ended", () => {
  expect(wrap("\x1b[1mone \x1b[31mtwo\x1b[39m three\x1b[22m four", 5)).toEqual([
    "\x1b[1mone\x1b[0m",
    "\x1b[1m\x1b[31mtwo\x1b[0m",
    "\x1b[1mthree\x1b[0m",
    "four",
  ]);
});

test("no line exceeds the width, and only spaces are lost", () => {
  const unit = fc.oneof(
    fc.string({ unit: "grapheme", minLength: 1, maxLength: 1 }),
    fc.constantFrom(
      " ",
      "a",
      "bc",
      "漢",
      "👩‍👩‍👧",
      "\n",
      "\x1b[1m",
      "\x1b[22m",
      "\x1b[31m",
      "\x1b[39m",
    ),
  );
  const letters = (text: string) => text.replaceAll(/\x1b\[\d+m|\s/g, "");
  fc.assert(
    fc.property(fc.array(unit), fc.integer({ min: 2, max: 12 }), (units, width) => {
      const text = sanitize(units.join("").replaceAll("\x1b[", "\u{f0000}")).replaceAll(
        "\u{f0000}",
        "\x1b[",
      );

      const lines = wrap(text, width);

      for (const line of lines) expect(widthOf(line.trimEnd())).toBeLessThanOrEqual(width);
      expect(letters(lines.join(""))).toBe(letters(text));
    }),
  );
});

test.each([
  ["letters", "a".repeat(400_000)],
  ["words in a style", `\x1b[1m${"word ".repeat(80_000)}\x1b[22m`],
  ["accents", "é".repeat(400_000)],
  ["joined characters", "👨‍👩‍👧".repeat(50_000)],
  ["spaces", `x${" ".repeat(400_000)}y`],
  ["carriage returns", `x${"\r".repeat(400_000)}y`],
  ["lines", "a \n".repeat(130_000)],
])("a text of %s is wrapped in linear time", (_, text) => {
  const started = performance.now();

  wrap(sanitize(text), 80);
  wrap(oneLine(text), 80);
  widthOf(sanitize(text));

  // Quadratic time would take minutes.
  expect(performance.now() - started).toBeLessThan(10_000);
});

const long = `https://auth.example/authorize?${"state=0123456789&".repeat(12)}end`;

test("[terminal M5] a URL that is too long gets its own line, without indentation or breaks", () => {
  const lines = hangProse(`Open (${long}), then come back.`, 60, "• ");
  expect(lines.map((line) => line.replaceAll(/\x1b\]8;[^\x1b]*\x1b\\|\x1b\[0m/g, ""))).toEqual([
    "• Open",
    long,
    "  then come back.",
  ]);
  expect(lines[1]).toContain(`;${long}\x1b\\`);
  expect(truncate(lines[1] ?? "", 20)).toBe(lines[1]);
  expect(cutUnbroken(lines[1] ?? "", 60).every((row) => widthOf(row) <= 60)).toBe(true);
});

test("[terminal M5] a wrapped hyperlink is closed and reopened", () => {
  const lines = wrap(hyperlink("https://a.example/", "one two three"), 8);
  expect(lines).toHaveLength(2);
  for (const line of lines) {
    expect(line).toContain("\x1b]8;;https://a.example/\x1b\\");
    expect(line).toMatch(/\x1b\]8;;\x1b\\$/);
    expect(widthOf(line)).toBeLessThanOrEqual(8);
  }
});

test.each(["file:///etc/passwd", "javascript:alert(1)", "https://a/\x1b\\x", "https://a/\x07"])(
  "[terminal M5] %j is no hyperlink",
  (url) => {
    expect(hyperlink(url, "text")).toBe("text");
  },
);
