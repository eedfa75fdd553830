import { expect, test } from "vitest";
import type { UpdateChunk } from "../../src/patch/index.js";
import { newContents } from "../../src/patch/new-contents.js";

test.each<[string, string, UpdateChunk[], string]>([
  ["a line is replaced", "a\nb\nc\n", [chunk("-b", "+B")], "a\nB\nc\n"],
  [
    "chunks follow each other",
    "a\nb\na\nb\n",
    [chunk("-a", "+1"), chunk("-a", "+2")],
    "1\nb\n2\nb\n",
  ],
  ["a context line leads to the place", "f\nx\ng\nx\n", [under("g", "-x", "+y")], "f\nx\ng\ny\n"],
  ["lines without old ones go to the end", "a\n", [chunk("+b")], "a\nb\n"],
  ["lines for the end go behind a last empty line", "a\n\n", [chunk("+b")], "a\n\nb\n"],
  [
    "lines for the end go there even with a context line",
    "f\na\n",
    [under("f", "+b")],
    "f\na\nb\n",
  ],
  [
    "additions at the end stay in the order of the patch",
    "a\n",
    [chunk("+1"), chunk(" a", "+2"), chunk("+3")],
    "a\n1\n2\n3\n",
  ],
  [
    "an empty line that the file does not have is added where the last chunk ended",
    "a\nb\n",
    [chunk("-a", "+A"), chunk(" ", "+new")],
    "A\n\nnew\nb\n",
  ],
  ["an empty file gets lines", "", [chunk("+a")], "a\n"],
  ["a file may become empty", "a\nb\n", [chunk("-a", "-b")], ""],
  ["a missing last line feed is added", "a\nb", [chunk("-a", "+A")], "A\nb\n"],
  ["a last empty line may stand for the end", "a\nb\n", [chunk(" b", "+c", " ")], "a\nb\nc\n"],
  ["a last empty line may be taken out at the end", "a\n", [chunk("-a", "-", "+b", "+")], "b\n"],
  ["an empty line stays when more follows it", "a\n", [chunk(" a", " ", "+b")], "a\n\nb\n"],
  [
    "a chunk for the end of the file takes the last match",
    "a\nb\na\n",
    [atEnd("-a", "+c")],
    "a\nb\nc\n",
  ],
  ["kept lines stay as the file has them", "  a  \nb\n", [chunk(" a", "-b", "+c")], "  a  \nc\n"],
  ["line ends of the file are kept", "a\r\nb\r\n", [chunk("-b", "+c", "+d")], "a\r\nc\r\nd\r\n"],
  ["mixed line ends are kept line by line", "a\r\nb\nc\n", [chunk(" b", "+x")], "a\r\nb\nx\r\nc\n"],
  [
    "[compat CRLF] an addition comes behind an empty last line",
    "a\r\n\r\n",
    [chunk("+new")],
    "a\r\n\r\nnew\r\n",
  ],
  [
    "[compat CRLF] a last line without an end gets that of the file",
    "one\r\ntwo",
    [chunk("-one", "+ONE")],
    "ONE\r\ntwo\r\n",
  ],
  [
    "[compat CRLF] a repeated line stays with its own end",
    "same\r\nsame\n",
    [chunk("-same", " same")],
    "same\n",
  ],
  ["old Macintosh line ends are kept", "a\rb\r", [chunk("-a", "+c")], "c\rb\r"],
  ["a byte order mark is kept", "\uFEFFa\nb\n", [chunk("-a", "+c")], "\uFEFFc\nb\n"],
])("%s", (_name, text, chunks, expected) => {
  const result = newContents(text, chunks, { path: "/f", lineEndings: "keep" });

  expect(result).toEqual({ ok: true, text: expected });
});

test.each<[string, string, UpdateChunk[], string]>([
  [
    "old lines that are not there",
    "a\n",
    [chunk("-b", " c")],
    "Failed to find expected lines in /f:\nb\nc",
  ],
  [
    "a context line that is not there",
    "a\n",
    [under("g", "-a")],
    "Failed to find context 'g' in /f",
  ],
  [
    "chunks in the wrong order",
    "a\nb\n",
    [chunk("-b"), chunk("-a")],
    "Failed to find expected lines in /f:\na",
  ],
  [
    "chunks that lie over each other",
    "a\n",
    [chunk("-a", "+b"), atEnd("-a", "+c")],
    "Failed to find expected lines in /f:\na",
  ],
  [
    "a chunk for the end that is not there",
    "a\nb\n",
    [atEnd("-a", "+c")],
    "Failed to find expected lines in /f:\na",
  ],
])("%s are named", (_name, text, chunks, message) => {
  const result = newContents(text, chunks, { path: "/f", lineEndings: "keep" });

  expect(result).toEqual({ ok: false, message });
});

test("with `lf`, changed lines lose carriage returns and the end may be changed twice", () => {
  const options = { path: "/f", lineEndings: "lf" } as const;

  expect(newContents("a\r\nb\r\n", [chunk("-b", "+c")], options)).toEqual({
    ok: true,
    text: "a\r\nc\n",
  });
  expect(newContents("a\n", [chunk("-a", "+b"), atEnd("-a", "+c")], options)).toEqual({
    ok: true,
    text: "b\n",
  });
  expect(newContents("a\nb\n", [chunk("-a", "-b")], options)).toEqual({ ok: true, text: "" });
  expect(newContents(" a\nb\n", [chunk(" a", "-b")], options)).toEqual({ ok: true, text: "a\n" });
});

test("100,000 chunks that barely match stay within the budget", () => {
  const lines = Array.from({ length: 100_000 }, (_, index) => `  l${index}`);
  const chunks = lines.map((line) => chunk(`-${line.trim()}`, "+x"));

  const result = newContents(`${lines.join("\n")}\n`, chunks, { path: "/f", lineEndings: "keep" });

  expect(result).toEqual({ ok: true, text: "x\n".repeat(100_000) });
});

test("an adversarial search fails with a reason", () => {
  const lines = "a\n".repeat(100_000);
  const chunks = Array.from({ length: 10 }, () =>
    chunk(...new Array<string>(20_000).fill("-a"), "-b"),
  );

  const result = newContents(`${lines}b \n`, chunks, { path: "/f", lineEndings: "keep" });

  expect(result).toEqual({
    ok: false,
    message: "Failed to match the patch with /f: it takes too many comparisons; send it in parts",
  });
});

function chunk(...lines: string[]): UpdateChunk {
  return { context: undefined, lines, endOfFile: false };
}

function under(context: string, ...lines: string[]): UpdateChunk {
  return { context, lines, endOfFile: false };
}

function atEnd(...lines: string[]): UpdateChunk {
  return { context: undefined, lines, endOfFile: true };
}
