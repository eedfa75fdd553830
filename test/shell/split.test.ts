import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { expect, test } from "vitest";
import { splitWords } from "../../src/shell/index.js";

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
