import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { expect, test } from "vitest";
import { joinWords, quoteWord, splitWords } from "../../src/shell/index.js";

test.each([
  ["", "''"],
  ["plain-1.0/a:b@c]_+", "plain-1.0/a:b@c]_+"],
  ["--color=always", "'--color=always'"],
  ["foo bar", "'foo bar'"],
  ["it's", `"it's"`],
  ["pkg\\src", `"pkg\\\\src"`],
  ["^\\[package\\]", `'^'"\\\\[package\\\\]"`],
  ["a'$b", `"a'"'$b'`],
  ["naïve", "'naïve'"],
])("the word %j is quoted as %s", (word, quoted) => {
  expect(quoteWord(word)).toBe(quoted);
});

test("a NUL byte is named instead of being cut off", () => {
  expect(joinWords(["a", "b\0c"])).toBe("<command included NUL byte>");
});

const word = fc.string({ unit: "grapheme", maxLength: 12 }).filter((text) => !text.includes("\0"));
const nastyWord = fc
  .array(fc.constantFrom(..."'\"\\$`!^*?[]{}()<>|&;#~=% \t\nab1-é"), { maxLength: 10 })
  .map((chars) => chars.join(""));
const words = fc.array(fc.oneof(word, nastyWord), { minLength: 1, maxLength: 5 });

test("joined words split into the same words", () => {
  fc.assert(
    fc.property(words, (argv) => {
      expect(splitWords(joinWords(argv))).toEqual(argv);
    }),
    { numRuns: 2000 },
  );
});

test("bash splits joined words into the same words", () => {
  const lines = fc.sample(words, { numRuns: 500, seed: 20261115 });
  const script = lines
    .map((argv) => `printf '%s\\0' ${joinWords(argv)}; printf '\\n--\\n\\0'`)
    .join("\n");

  const output = execFileSync("bash", ["-c", script], { maxBuffer: 1 << 26 }).toString();

  expect(output.split("\n--\n\0").slice(0, -1)).toEqual(
    lines.map((argv) => argv.map((text) => `${text}\0`).join("")),
  );
});

test.each([
  ["a  b\tc\nd", ["a", "b", "c", "d"]],
  [`'a b' "c d" e\\ f`, ["a b", "c d", "e f"]],
  [`"\\$x \\y \\""`, ['$x \\y "']],
  ["a'b'\"c\"", ["abc"]],
  ["a && b | c ; d", ["a", "&&", "b", "|", "c", ";", "d"]],
  ["a # comment\nb#c", ["a", "b#c"]],
  ["a\\\nb \\\n c", ["ab", "c"]],
  ["'' \"\"", ["", ""]],
  ["   ", []],
])("the line %j has these words", (line, words) => {
  expect(splitWords(line)).toEqual(words);
});

test.each(["'open", '"open', "a\\", '"a\\'])("the unfinished line %j gives nothing", (line) => {
  expect(splitWords(line)).toBeUndefined();
});

test("lines without expansions split as bash splits them", () => {
  const piece = fc.constantFrom(
    "a",
    "b c",
    "'x y'",
    '"p q"',
    '"\\\\"',
    "\\ ",
    "\\'",
    "\\\n",
    " ",
    "\t",
  );
  const line = fc.array(piece, { minLength: 1, maxLength: 8 }).map((pieces) => pieces.join(""));
  const lines = fc.sample(line, { numRuns: 300, seed: 20261115 });
  const script = lines
    .map(
      (text) =>
        `words() { for w; do printf '%s\\0' "$w"; done; }; words ${text}\nprintf '\\n--\\n\\0'`,
    )
    .join("\n");

  const output = execFileSync("bash", ["-c", script]).toString();

  expect(output.split("\n--\n\0").slice(0, -1)).toEqual(
    lines.map((text) => (splitWords(text) ?? ["?"]).map((word) => `${word}\0`).join("")),
  );
});
