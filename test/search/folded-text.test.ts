import fc from "fast-check";
import { expect, test } from "vitest";
import { foldText, letterMask } from "../../src/search/folded-text.js";

test.each([
  ["src/Main.TS", "src/Main.TS", "src/main.ts"],
  ["Café", "Café", "cafe"],
  ["Straße", "Straße", "straße"],
  ["ÅNGSTRÖM", "ÅNGSTRÖM", "angstrom"],
  ["a😀b", "a\ufffdb", "a\ufffdb"],
  ["İx", "İx", "ix"],
  ["", "", ""],
])("%j is searched as %j and %j", (text, plain, folded) => {
  expect(foldText(text)).toEqual({ plain, folded });
});

test("both forms have one code unit per character of the text", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 40 }), (text) => {
      const { plain, folded } = foldText(text);
      expect(plain).toHaveLength([...text].length);
      expect(folded).toHaveLength([...text].length);
    }),
  );
});

test("the mask of a text covers the mask of every part of it", () => {
  fc.assert(
    fc.property(fc.string(), fc.nat(20), fc.nat(20), (text, from, length) => {
      const whole = letterMask(text);
      const part = letterMask(text.slice(from, from + length));
      expect(whole & part).toBe(part);
    }),
  );
});

test("letters have different bits; case does not matter", () => {
  const masks = [..."abcdefghijklmnopqrstuvwxyz"].map(letterMask);
  expect(new Set(masks).size).toBe(26);
  expect(letterMask("A")).toBe(letterMask("a"));
  expect(letterMask("")).toBe(0);
});
