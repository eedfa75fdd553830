import fc from "fast-check";
import { expect, test } from "vitest";
import { YamlError, type YamlValue } from "../../../src/project/yaml/cursor.js";
import { parseYaml } from "../../../src/project/yaml/parse.js";

test.each<[string, string, unknown]>([
  ["nothing", "", null],
  ["only comments", "# a\n\n  # b", null],
  ["a mapping", "a: b\nc: d", { a: "b", c: "d" }],
  [
    "words stay words",
    "a: 1\nb: true\nc: 1.5e3\nd: 2024-01-01",
    { a: "1", b: "true", c: "1.5e3", d: "2024-01-01" },
  ],
  [
    "nothing as a value",
    "a:\nb: ~\nc: null\nd: # said later",
    { a: null, b: null, c: null, d: null },
  ],
  ["comments", "# x\na: b # c\n# y\nd: e#f", { a: "b", d: "e#f" }],
  ["colons within words", "a: http://x/y:z\nb: 12:30", { a: "http://x/y:z", b: "12:30" }],
  [
    "mappings in mappings",
    "a:\n  b: c\n  d:\n    e: f\ng: h",
    { a: { b: "c", d: { e: "f" } }, g: "h" },
  ],
  ["a list", "a:\n  - b\n  - c", { a: ["b", "c"] }],
  ["a list as far out as its key", "a:\n- b\n- c\nd: e", { a: ["b", "c"], d: "e" }],
  ["mappings in a list", "- a: b\n  c: d\n- e: f", [{ a: "b", c: "d" }, { e: "f" }]],
  ["lists in a list", "- - a\n  - b\n-\n  - c\n- ", [["a", "b"], ["c"], null]],
  ["text over several lines", "a: b\n  c\n\n  d\ne: f", { a: "b c\nd", e: "f" }],
  ["text that begins below its key", "a:\n  b\n  c", { a: "b c" }],
  ["double quotes", 'a: "b: \\"c\\" \\u00e9\\x21\\n # d"', { a: 'b: "c" é!\n # d' }],
  ["single quotes", "a: 'it''s: # fine\\n'", { a: "it's: # fine\\n" }],
  ["quotes over several lines", 'a: "b\n  c\n\n  d \\\n  e"', { a: "b c\nd e" }],
  ["quoted keys", "\"a b\": c\n'd: e': f", { "a b": "c", "d: e": "f" }],
  ["lines as they are", "a: |\n  b\n   c\n\n  d\ne: f", { a: "b\n c\n\nd\n", e: "f" }],
  ["lines without the last end", "a: |-\n  b\n  c\n\n\nd: e", { a: "b\nc", d: "e" }],
  ["lines with all ends", "a: |+\n  b\n\n\nc: d", { a: "b\n\n\n", c: "d" }],
  ["lines that begin with blanks", "a: |2-\n    b\n   c", { a: "  b\n c" }],
  ["folded lines", "a: >\n  b\n  c\n\n  d\n    e\n  f\n", { a: "b c\nd\n  e\nf\n" }],
  ["folded lines without the last end", "a: >-  # note\n  b\n  c\n", { a: "b c" }],
  ["an empty block", "a: |\nb: c", { a: "", b: "c" }],
  ["brackets", "a: [b, \"c, d\", 'e' , f g]\nb: []", { a: ["b", "c, d", "e", "f g"], b: [] }],
  [
    "braces",
    "a: {b: c, d: [e, {f: g}], h: , i}",
    { a: { b: "c", d: ["e", { f: "g" }], h: null, i: null } },
  ],
  ["brackets over several lines", "a: [\n  b, # x\n  c,\n]\nd: e", { a: ["b", "c"], d: "e" }],
  ["addresses in brackets", "[http://x:1/y, a:b]", ["http://x:1/y", "a:b"]],
  ["Windows line ends and a mark", "\ufeffa: b\r\nc: |\r\n  d\r\n", { a: "b", c: "d\n" }],
  [
    "keys that mean something to JavaScript",
    "__proto__: a\nconstructor: b",
    { ["__proto__"]: "a", constructor: "b" },
  ],
  ["minus signs in words", "a: -b\nc: - \n", new Error("a list must start")],
])("reads %s", (_what, text, expected) => {
  if (expected instanceof Error) expect(() => parseYaml(text)).toThrow(expected.message);
  else expect(plain(parseYaml(text))).toEqual(expected);
});

test.each([
  ["a: b: c", "line 1: quote a value that contains"],
  ["a: b\n  c: d", "line 2: quote a value that contains"],
  ["a: b\nc", 'line 2: "c" has no key'],
  ["a: b\n c: d", "line 2: quote a value that contains"],
  ["a:\n    b: c\n  d: e", 'line 3: unexpected indentation of "d: e"'],
  ["a: b\na: c", "line 2: duplicate key a"],
  ["a:\n\tb: c", "line 2: use spaces to indent, not tabs"],
  ['a: "b', "line 1: unclosed quote"],
  ["a: 'b\nc: d", "unclosed quote"],
  ['a: "b" c', 'line 1: unexpected " c" after the value'],
  ['a: "\\q"', 'invalid escape "\\q" in double quotes'],
  ['a: "\\U00110000"', "invalid code point 00110000"],
  ["a: [b", "missing , or ]"],
  ["a: [b, ", "missing ]"],
  ["a: {b: c", "missing , or }"],
  ["a: {b: c, b: d}", "duplicate key b"],
  ["a: {[b]: c}", "a key must be a string"],
  ["a: &b c", "anchors and tags are not supported"],
  ["a: *b", "anchors and tags are not supported"],
  ["a: !b c", "anchors and tags are not supported"],
  ["a: @b", "text that starts with @ must be quoted"],
  ["? a\n: b", "keys that start with ? are not supported"],
  ["a: |x\n  b", "text after | or > must start on the next line"],
  ["a: |\n    b\n  c", "a line of the text is indented less than its first line"],
  [`a: ${"[".repeat(60)}`, "values are nested more than 50 levels deep"],
  [`${"- ".repeat(60)}a`, "values are nested more than 50 levels deep"],
])("refuses %j and says why", (text, message) => {
  expect(() => parseYaml(text)).toThrow(YamlError);
  expect(() => parseYaml(text)).toThrow(message);
});

const word = fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 });
const anyValue = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    word,
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(word, tie("value"), { maxKeys: 4 }),
  ),
})).value;

test("JSON is YAML, on one line and on several", () => {
  fc.assert(
    fc.property(anyValue, fc.constantFrom(0, 2), (value, indent) => {
      expect(plain(parseYaml(JSON.stringify(value, null, indent)))).toEqual(value);
    }),
  );
});

test("block scalars round-trip", () => {
  fc.assert(
    fc.property(anyValue, (value) => {
      expect(plain(parseYaml(toBlocks(value, "")))).toEqual(value);
    }),
  );
});

test("no text makes the reader fail otherwise than by saying so", () => {
  const sign = fc.constantFrom(..." \n\t:-#'\"|>[]{},&*!?ab\\");
  fc.assert(
    fc.property(fc.string({ unit: sign, maxLength: 60 }), (text) => {
      try {
        parseYaml(text);
      } catch (error) {
        expect(error).toBeInstanceOf(YamlError);
      }
    }),
    { numRuns: 2000 },
  );
});

test("long texts are read in time that grows with them", () => {
  const text = `a: |\n${"  b c: d\n".repeat(20_000)}e: "${"\\\\".repeat(20_000)}"\n`;

  expect((parseYaml(text) as Map<string, string>).get("e")).toHaveLength(20_000);
});

/** Maps as objects, to be compared with what JavaScript writes. */
function plain(value: YamlValue): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (!(value instanceof Map)) return value;
  return Object.fromEntries([...value].map(([key, member]) => [key, plain(member)]));
}

function toBlocks(value: unknown, indent: string): string {
  if (typeof value === "string") return JSON.stringify(value);
  const deeper = `${indent}  `;
  if (Array.isArray(value)) {
    if (value.length === 0) return "[]";
    return value.map((item) => `${indent}- ${inBlock(item, deeper)}`).join("\n");
  }
  const entries = Object.entries(value as object);
  if (entries.length === 0) return "{}";
  return entries
    .map(([key, item]) => `${indent}${JSON.stringify(key)}: ${inBlock(item, deeper)}`)
    .join("\n");
}

function inBlock(value: unknown, indent: string): string {
  const text = toBlocks(value, indent);
  return text.startsWith(indent) && indent !== "" ? `\n${text}` : text;
}
