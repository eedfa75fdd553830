import fc from "fast-check";
import { expect, test } from "vitest";
import { joinSource, splitSource } from "../../src/patch/source-text.js";

test.each([
  ["", "\n", []],
  ["a\nb\n", "\n", ["a", "b"]],
  ["a\r\nb", "\r\n", ["a", "b"]],
  ["a\rb\r", "\r", ["a", "b"]],
  ["a\n\n", "\n", ["a", ""]],
  ["\uFEFFa\r\n", "\r\n", ["a"]],
])("%j has the ending %j and the lines %j", (text, ending, lines) => {
  const source = splitSource(text);
  expect(source.ending).toBe(ending);
  expect(source.lines.map((line) => line.text)).toEqual(lines);
});

test("joining gives the text back; only a missing last line ending is added", () => {
  const piece = fc.constantFrom("a", "b", "\n", "\r", "\r\n", " ");
  fc.assert(
    fc.property(fc.boolean(), fc.array(piece, { maxLength: 20 }), (hasMark, pieces) => {
      const text = `${hasMark ? "\uFEFF" : ""}${pieces.join("")}`;
      const source = splitSource(text);
      const isOpen = source.lines.at(-1)?.ending === "";
      expect(joinSource(source)).toBe(isOpen ? text + source.ending : text);
    }),
  );
});
