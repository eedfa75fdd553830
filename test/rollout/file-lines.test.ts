import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  type FileLine,
  LineSplitter,
  openForReading,
  readAhead,
} from "../../src/rollout/file-lines.js";
import { temporaryHome } from "./support.js";

interface Seen {
  number: number;
  start: number;
  end: number;
  text: string | undefined;
}

/** Splits chunks; each is overwritten afterwards, as the reader reuses its memory. */
function split(chunks: readonly Buffer[], maxBytes = 1000, start = 0): Seen[] {
  const seen: Seen[] = [];
  const splitter = new LineSplitter(maxBytes, start);
  const visit = ({ bytes, ...line }: FileLine) => {
    seen.push({ ...line, text: bytes?.toString("utf8") });
  };
  for (const chunk of chunks) {
    const copy = Buffer.from(chunk);
    splitter.push(copy, visit);
    copy.fill(0x21);
  }
  const rest = splitter.rest();
  if (rest !== undefined) visit(rest);
  return seen;
}

test("lines have their number, offsets and text", () => {
  expect(split([Buffer.from("one\n\ntwo é\nrest")], 1000, 10)).toEqual([
    { number: 1, start: 10, end: 14, text: "one" },
    { number: 2, start: 14, end: 15, text: "" },
    { number: 3, start: 15, end: 22, text: "two é" },
    { number: 4, start: 22, end: 26, text: "rest" },
  ]);
});

test("the size of chunks does not matter", () => {
  const anyText = fc.string({ unit: fc.constantFrom("a", "é", "\n", "😀") });
  const cuts = fc.array(fc.nat(40), { maxLength: 8 });

  fc.assert(
    fc.property(anyText, cuts, (text, at) => {
      const bytes = Buffer.from(text);
      const edges = [0, ...at.map((n) => Math.min(n, bytes.length)), bytes.length].sort(
        (a, b) => a - b,
      );
      const chunks = edges.slice(1).map((end, index) => bytes.subarray(edges[index], end));

      expect(split(chunks)).toEqual(split([bytes]));
    }),
  );
});

test("a line over the limit is reported without its bytes, and the next one is read", () => {
  const chunks = ["12345", "6", "7890\nok\n"].map((text) => Buffer.from(text));

  expect(split(chunks, 6)).toEqual([
    { number: 1, start: 0, end: 11, text: undefined },
    { number: 2, start: 11, end: 14, text: "ok" },
  ]);
});

test("a line of exactly the limit is read", () => {
  expect(split([Buffer.from("123456\n")], 6).map(({ text }) => text)).toEqual(["123456"]);
});

test("the start of the incomplete line is known", () => {
  const splitter = new LineSplitter(100);
  splitter.push(Buffer.from("a\nbc"), () => {});

  expect(splitter.start).toBe(2);
});

test("only regular files are opened, and a pipe does not block", async () => {
  await using home = await temporaryHome();
  const folder = join(home.path, "folder");
  const pipe = join(home.path, "pipe");
  mkdirSync(folder);
  execFileSync("mkfifo", [pipe]);

  await expect(openForReading(join(home.path, "none"))).rejects.toMatchObject({
    code: "not_found",
    message: `No rollout at ${join(home.path, "none")}`,
  });
  for (const path of [folder, pipe]) {
    await expect(openForReading(path)).rejects.toMatchObject({
      code: "invalid_request",
      message: `${path} is not a file`,
    });
  }
});

test.each([
  [0, Number.POSITIVE_INFINITY, "0123456789"],
  [3, 7, "3456"],
  [8, 100, "89"],
  [10, 20, ""],
])("reads the bytes from %i to %d", async (from, until, expected) => {
  await using home = await temporaryHome();
  const file = await openForReading(home.write("f", ["0123456789"]));
  const chunks: string[] = [];

  for await (const chunk of readAhead(file, from, until)) chunks.push(chunk.toString("utf8"));
  await file.close();

  expect(chunks.join("")).toBe(expected);
});
