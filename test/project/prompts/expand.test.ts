import fc from "fast-check";
import { expect, test } from "vitest";
import {
  expandPrompt,
  parseNamedArguments,
  parsePromptCall,
  promptArgumentNames,
  splitArguments,
} from "../../../src/project/index.js";

const image = "[Image #1]";

test.each([
  ["$1 and $2, $3.", "/prompts:p one 'two three'", "one and two three, ."],
  ["all: $ARGUMENTS", "/prompts:p one   two", "all: one two"],
  ["all: $ARGUMENTS", "/prompts:p", "all: "],
  ["$$1 costs $$ and $", "/prompts:p x", "$$1 costs $$ and $"],
  ["$10", "/prompts:p x", "x0"],
  ["fix $1", "/prompts:p #12", "fix #12"],
  ["$A-$B", '/prompts:p B=" b" A=a=c', "a=c- b"],
  ["$A $$A", "/prompts:p A=1", "1 $$A"],
  ["$A $1 $ARGUMENTS", "/prompts:p A=1", "1 $1 $ARGUMENTS"],
  ["$A", '/prompts:p A="$B $1"', "$B $1"],
  ["$A", "/prompts:p A=", ""],
  ["$A", "/prompts:p A=1 A=2", "2"],
])("%j filled in by %j", (content, line, text) => {
  expect(expand(content, line)).toEqual({ text, text_elements: [] });
});

test.each([
  ["$A", "/prompts:p A=1 b", "Could not parse /prompts:p: expected key=value but found 'b'."],
  ["$A", "/prompts:p =1", "Could not parse /prompts:p: expected a name before '=' in '=1'."],
  ["$A $B", "/prompts:p", "Missing required args for /prompts:p: A, B."],
  ["$1", "/prompts:p don't", "Could not parse /prompts:p: unclosed quote '."],
])("%j is not filled in by %j, and why is told", (content, line, problem) => {
  expect(expand(content, line)?.problem).toMatch(problem);
});

test.each([["/p a"], ["prompts:p"], ["/prompts: p"], ["/prompts:q"], [" /prompts:p"], ["hello"]])(
  "%j calls no prompt",
  (line) => {
    expect(expand("x", line)).toBeUndefined();
  },
);

test("elements stay whole and are found in the text that comes out", () => {
  const line = `/prompts:p é ${image} "see ${image}"`;
  const first = element(line, line.indexOf(image));
  const second = element(line, line.lastIndexOf(image));

  const found = expandPrompt(line, prompts("ü $2, $3: $ARGUMENTS"), [second, first]);

  const text = `ü ${image}, see ${image}: é ${image} see ${image}`;
  expect(found?.text).toBe(text);
  expect(found?.problem === undefined && found?.text_elements.map((one) => cut(text, one))).toEqual(
    Array(4).fill(image),
  );
});

test("an element is found in the value of a named argument", () => {
  const rest = `ÄÖ=${image} B="x ${image}"`;
  const elements = [element(rest, rest.indexOf(image)), element(rest, rest.lastIndexOf(image))];

  const { values } = parseNamedArguments(splitArguments(rest, elements).words ?? []);

  expect([...(values ?? [])]).toEqual([
    [
      "ÄÖ",
      { text: image, text_elements: [{ byte_range: { start: 0, end: 10 }, placeholder: "P" }] },
    ],
    [
      "B",
      {
        text: `x ${image}`,
        text_elements: [{ byte_range: { start: 2, end: 12 }, placeholder: "P" }],
      },
    ],
  ]);
});

test("a line that calls a prompt is taken apart into its name and words", () => {
  const line = `/prompts:p  alpha ${image} beta   `;
  const { start, end } = { start: 0, end: image.length };

  const call = parsePromptCall(line, [element(line, line.indexOf(image))]);

  expect(call).toEqual({
    name: "p",
    words: [
      { text: "alpha", text_elements: [] },
      { text: image, text_elements: [{ byte_range: { start, end }, placeholder: "P" }] },
      { text: "beta", text_elements: [] },
    ],
  });
  expect([" /prompts:p", "/prompt:p", "p"].map((other) => parsePromptCall(other))).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test("invalid elements are ignored", () => {
  const ranges = [
    { start: 5, end: 3 },
    { start: -1, end: 2 },
    { start: 2, end: 400 },
    { start: 0, end: 1 },
    { start: 0, end: 2 },
  ];

  const { words } = splitArguments(
    "a b c",
    ranges.map((byte_range) => ({ byte_range })),
  );

  expect(words?.map(({ text }) => text)).toEqual(["a", "b", "c"]);
});

test("a word in single quotes comes out as it went in", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "grapheme" })), (texts) => {
      const quoted = texts.map((text) => `'${text.replaceAll("'", `'\\''`)}'`).join(" ");
      expect(splitArguments(quoted).words?.map(({ text }) => text)).toEqual(texts);
    }),
  );
});

test.each([
  ["a\\ b c", ["a b", "c"]],
  ['"a\\"b" "c\\d" "e\\\\f"', ['a"b', "c\\d", "e\\f"]],
  ["a\\\nb", ["ab"]],
  ["'' a\"\"", ["", "a"]],
  ["a\\", ["a\\"]],
])("%j has the words %j", (line, words) => {
  expect(splitArguments(line).words?.map(({ text }) => text)).toEqual(words);
});

test("returns argument names once, in order, without escaped ones", () => {
  expect(promptArgumentNames("$B $A_1 $B $$C $$$D $ARGUMENTS $lower $1")).toEqual(["B", "A_1"]);
});

function prompts(content: string) {
  return [{ name: "p", path: "/p.md", content }];
}

function expand(content: string, line: string) {
  return expandPrompt(line, prompts(content));
}

function element(text: string, at: number) {
  const start = Buffer.byteLength(text.slice(0, at));
  return { byte_range: { start, end: start + Buffer.byteLength(image) }, placeholder: "P" };
}

function cut(text: string, { byte_range }: { byte_range: { start: number; end: number } }): string {
  return Buffer.from(text).toString("utf8", byte_range.start, byte_range.end);
}
