import { expect, test } from "vitest";
import { bonusOf, boundaryBonus, charClasses, classOf } from "../../src/search/char-class.js";

test.each([
  ["a", "lower"],
  ["Z", "upper"],
  ["7", "digit"],
  ["/", "delimiter"],
  [":", "delimiter"],
  [" ", "blank"],
  ["\t", "blank"],
  ["-", "sign"],
  ["_", "sign"],
  [".", "sign"],
  ["é", "lower"],
  ["Ä", "upper"],
  ["٣", "digit"],
  ["漢", "letter"],
  ["\u00a0", "blank"],
  ["€", "sign"],
] as const)("%j is a %s", (char, name) => {
  expect(classOf(char.charCodeAt(0))).toBe(charClasses[name]);
});

test.each([
  ["delimiter", "lower", boundaryBonus + 1],
  ["sign", "lower", boundaryBonus],
  ["blank", "upper", boundaryBonus],
  ["lower", "upper", 5],
  ["lower", "digit", 5],
  ["digit", "digit", 0],
  ["lower", "lower", 0],
  ["upper", "lower", 0],
  ["upper", "upper", 0],
  ["lower", "sign", boundaryBonus],
  ["lower", "delimiter", 0],
] as const)("after a %s a %s has the bonus %i", (before, at, bonus) => {
  expect(bonusOf(charClasses[before], charClasses[at])).toBe(bonus);
});
