import fc from "fast-check";
import { expect, test } from "vitest";
import { BlockStream, joinBlocks } from "../../../src/tui/markdown/blocks.js";

function blocksOf(pieces: readonly string[]) {
  const stream = new BlockStream();
  return [...pieces.flatMap((piece) => stream.push(piece)), ...stream.end()];
}

test("paragraphs, code and headings are separate blocks", () => {
  const text = "# Title\nintro\nmore\n\n```ts\na\n\nb\n```\nafter\n";
  expect(blocksOf([text])).toEqual([
    { source: "# Title", isTight: false },
    { source: "intro\nmore", isTight: false },
    { source: "```ts\na\n\nb\n```", isTight: false },
    { source: "after", isTight: false },
  ]);
});

test("list items complete one by one, without blank lines between them", () => {
  expect(blocksOf(["- one\n  more\n- two\n- three\n\nend"])).toEqual([
    { source: "- one\n  more", isTight: false },
    { source: "- two", isTight: true },
    { source: "- three", isTight: true },
    { source: "end", isTight: false },
  ]);
});

test("code inside a list item belongs to the item", () => {
  const item = "1. do\n\n   ```sh\n   ls\n\n   pwd\n   ```\n\n   then";
  expect(blocksOf([`${item}\n2. next`])).toEqual([
    { source: item, isTight: false },
    { source: "2. next", isTight: true },
  ]);
});

test("long code is returned in parts that join to the same text", () => {
  const line = fc.constantFrom("", "code", "  more", "~~~");
  fc.assert(
    fc.property(
      fc.array(line, { maxLength: 40 }),
      fc.constantFrom("", "\n\nafter"),
      (lines, end) => {
        const text = `before\n\n\`\`\`ts\n${lines.join("\n")}\n\`\`\`${end}`;
        const stream = new BlockStream({ splitsCode: true });
        const blocks = [
          ...[...text].flatMap((character) => stream.push(character)),
          ...stream.end(),
        ];

        expect(joinBlocks(blocks)).toBe(joinBlocks(blocksOf([text])));
        for (const { source } of blocks) expect(source.split("\n").length).toBeLessThanOrEqual(14);
      },
    ),
  );
});

test("the split into deltas does not matter", () => {
  const line = fc.constantFrom(
    "",
    "text",
    "- item",
    "  more",
    "```",
    "```js",
    "# h",
    "| a |",
    "> q",
    "1. x",
  );
  fc.assert(
    fc.property(fc.array(line), fc.array(fc.nat(40)), (lines, cuts) => {
      const text = lines.join("\n");
      const pieces: string[] = [];
      let rest = text;
      for (const cut of cuts) {
        pieces.push(rest.slice(0, cut));
        rest = rest.slice(cut);
      }
      expect(blocksOf([...pieces, rest])).toEqual(blocksOf([text]));
    }),
  );
});

test("no text is lost except blank lines", () => {
  const line = fc.constantFrom(
    "",
    "text",
    "- item",
    "  more",
    "```",
    "~~~~",
    "# h",
    "| a |",
    "2) x",
  );
  fc.assert(
    fc.property(fc.array(line), (lines) => {
      const words = (text: string) => text.split(/\s+/).filter((word) => word !== "");
      const joined = blocksOf([lines.join("\n")])
        .map(({ source }) => source)
        .join("\n");
      expect(words(joined)).toEqual(words(lines.join("\n")));
    }),
  );
});

test("only the end of an endless block is rendered, and code stays code", () => {
  const stream = new BlockStream();
  stream.push(`\`\`\`ts\n${"const a = 1;\n".repeat(1000)}`);
  const { source } = stream.live(100);
  expect(source.startsWith("```ts\nconst a = 1;")).toBe(true);
  expect(source.length).toBeLessThan(200);
});
