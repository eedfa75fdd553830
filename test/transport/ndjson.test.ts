import { Readable } from "node:stream";
import fc from "fast-check";
import { expect, test } from "vitest";
import { Malformed, readJsonLines, toJsonLine } from "../../src/transport/index.js";
import { LineSplitter } from "../../src/transport/ndjson.js";

test("however the bytes are cut, the same messages come out", async () => {
  const value = fc.oneof(fc.jsonValue(), fc.string({ unit: "grapheme" }));

  await fc.assert(
    fc.asyncProperty(fc.array(value), fc.array(fc.nat({ max: 40 })), async (written, cuts) => {
      const messages: unknown[] = JSON.parse(JSON.stringify(written));
      const bytes = Buffer.from(messages.map(toJsonLine).join(""));

      const read = await all(readJsonLines(Readable.from(cut(bytes, cuts))));

      expect(read).toEqual(messages);
    }),
  );
});

test("each line of any bytes is a message, malformed, or blank", async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array(), fc.array(fc.nat({ max: 9 })), async (bytes, cuts) => {
      const text = Buffer.from(bytes).toString("utf8").replaceAll("\ufeff", "");
      const expected = text.split("\n").filter((line) => line.trim() !== "");

      const read = await all(readJsonLines(Readable.from(cut(Buffer.from(bytes), cuts))));

      expect(read.length).toBe(expected.length);
      for (const [index, line] of expected.entries()) {
        if (isJson(line)) expect(read[index]).toEqual(JSON.parse(line));
        else expect(read[index]).toBeInstanceOf(Malformed);
      }
    }),
  );
});

test.each([
  ["a line at the limit", "abcd\n", ["abcd"]],
  ["a longer line, which is skipped", "abcde\nfg\n", [expect.any(Malformed), "fg"]],
  ["a longer line in pieces", ["abc", "de", "f\ng"], [expect.any(Malformed), "g"]],
  ["lines without a final newline", "a\nb", ["a", "b"]],
  ["empty lines", "\n\n", ["", "", ""]],
])("%s", (_, chunks, expected) => {
  const lines: unknown[] = [];
  const splitter = new LineSplitter((line) => lines.push(line), { limit: 4 });

  for (const chunk of [chunks].flat()) splitter.push(Buffer.from(chunk));
  splitter.end();

  expect(lines.slice(0, expected.length)).toEqual(expected);
});

test("the first line may have a lower limit than the others", () => {
  const lines: unknown[] = [];
  const splitter = new LineSplitter((line) => lines.push(line), { limit: 4, firstLimit: 2 });

  splitter.push(Buffer.from("abc\nabcd\n"));

  expect(lines).toEqual([expect.any(Malformed), "abcd"]);
});

async function all(messages: AsyncIterable<unknown>): Promise<unknown[]> {
  const read: unknown[] = [];
  for await (const message of messages) read.push(message);
  return read;
}

function* cut(bytes: Buffer, lengths: number[]): Generator<Buffer> {
  let start = 0;
  for (const length of lengths) {
    if (length > 0) yield bytes.subarray(start, start + length);
    start += length;
  }
  yield bytes.subarray(start);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
