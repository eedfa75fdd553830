import { visibleWidth } from "@earendil-works/pi-tui";
import fc from "fast-check";
import { expect, test } from "vitest";
import { widthOf } from "../../../src/tui/text/width.js";

test.each([
  ["", 0],
  ["plain", 5],
  ["\x1b[1;31mred\x1b[0m", 3],
  ["日本", 4],
  ["› ✓ ▸ ☐ … ⠋", 11],
  ["é", 1],
  ["e\u0301", 1],
  ["👩‍👩‍👧", 2],
  ["🇩🇪", 2],
  ["👍🏽", 2],
  ["😀", 2],
  ["한글", 4],
  ["a\u3164b\uffa0", 2],
])("%j takes %i columns", (text, width) => {
  expect(widthOf(text)).toBe(width);
});

test("the width agrees with that of wrapped lines", () => {
  const unit = fc.oneof(
    fc.string({ unit: "grapheme", minLength: 1, maxLength: 1 }),
    fc.constantFrom("日", "é", "👍🏽", "\x1b[1m", "\x1b[0m", "█", "→"),
  );
  fc.assert(
    fc.property(fc.array(unit), (units) => {
      const text = units.join("").replaceAll(/[\x00-\x1a\x1c-\x1f\x7f-\x9f]/g, "");
      expect(widthOf(text)).toBe(visibleWidth(text));
    }),
    { numRuns: 2000 },
  );
});
