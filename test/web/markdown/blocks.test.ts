import { expect, test } from "vitest";
import { splitBlocks } from "../../../src/web/markdown/blocks.js";

test.each([
  ["nothing", "", []],
  ["one paragraph", "a\nb", ["a\nb"]],
  ["two paragraphs", "a\n\nb", ["a\n\n", "b"]],
  ["a code block with empty lines", "```\na\n\nb\n```\n\nc", ["```\na\n\nb\n```\n\n", "c"]],
  ["a code block that is not closed", "a\n\n~~~\nb\n\nc", ["a\n\n", "~~~\nb\n\nc"]],
  ["a list with empty lines", "- a\n\n- b\n\n  c", ["- a\n\n- b\n\n  c"]],
  ["a numbered list", "1. a\n\n2. b", ["1. a\n\n2. b"]],
  ["a heading after a list", "- a\n\n# b", ["- a\n\n", "# b"]],
])("%s", (_, text, expected) => {
  expect(splitBlocks(text)).toEqual(expected);
  expect(splitBlocks(text).join("")).toBe(text);
});

test("a growing text changes only its last block", () => {
  const text = "# A\n\nSome words.\n\n```js\nlet a;\n\nlet b;\n```\n\nThe end.";
  for (let length = 1; length < text.length; length++) {
    const [now, next] = [splitBlocks(text.slice(0, length)), splitBlocks(text)];
    expect(next.slice(0, now.length - 1)).toEqual(now.slice(0, -1));
  }
});
