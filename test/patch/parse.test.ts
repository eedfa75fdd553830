import { expect, test } from "vitest";
import { MAX_PATCH_LENGTH, parsePatch } from "../../src/patch/index.js";

const HEADERS =
  "Valid hunk headers: '*** Add File: {path}', '*** Delete File: {path}', '*** Update File: {path}'";

test("a patch with every kind of section is parsed", () => {
  const text = patch(
    "*** Add File: a.txt",
    "+one",
    "+",
    "*** Delete File: b.txt",
    "*** Update File: c.txt",
    "*** Move to: d.txt",
    "@@ function f",
    " kept",
    "-old",
    "+new",
    "",
    "@@",
    "+last",
    "*** End of File",
  );

  const parsed = parsePatch(text);

  expect(parsed).toEqual({
    ok: true,
    patch: {
      text,
      hunks: [
        { type: "add", path: "a.txt", contents: "one\n\n" },
        { type: "delete", path: "b.txt" },
        {
          type: "update",
          path: "c.txt",
          movePath: "d.txt",
          chunks: [
            { context: "function f", lines: [" kept", "-old", "+new", " "], endOfFile: false },
            { context: undefined, lines: ["+last"], endOfFile: true },
          ],
        },
      ],
    },
  });
});

test.each([
  ["nothing", "", "The last line of the patch must be '*** End Patch'"],
  ["another text", "hello", "The first line of the patch must be '*** Begin Patch'"],
  [
    "no end",
    "*** Begin Patch\n*** Delete File: a",
    "The last line of the patch must be '*** End Patch'",
  ],
  [
    "text after the end",
    "*** Begin Patch\n*** End Patch\nx\n*** End Patch",
    "The last line of the patch must be '*** End Patch'",
  ],
])("%s is not a patch", (_name, text, message) => {
  expect(parsePatch(text)).toEqual({ ok: false, error: { kind: "invalid_patch", message } });
});

test.each([
  [
    "an unknown header",
    ["*** Rename File: a"],
    2,
    `'*** Rename File: a' is not a valid hunk header. ${HEADERS}`,
  ],
  [
    "a header without a path",
    ["*** Add File:"],
    2,
    `'*** Add File:' is not a valid hunk header. ${HEADERS}`,
  ],
  [
    "an added line without its sign",
    ["*** Add File: a", "x"],
    3,
    `'x' is not a valid hunk header. ${HEADERS}`,
  ],
  [
    "an unknown header after a chunk",
    ["*** Update File: a", "+x", "*** Foo"],
    4,
    `'*** Foo' is not a valid hunk header. ${HEADERS}`,
  ],
  [
    "an update without a chunk",
    ["*** Add File: b", "*** Update File: a", "*** Delete File: c"],
    3,
    "Update file hunk for path 'a' is empty",
  ],
  [
    "an update with only a move",
    ["*** Update File: a", "*** Move to: b"],
    2,
    "Update file hunk for path 'a' is empty",
  ],
  [
    "a chunk without lines",
    ["*** Update File: a", "@@"],
    4,
    "Update hunk does not contain any lines",
  ],
  [
    "an end of file without lines",
    ["*** Update File: a", "@@ x", "*** End of File"],
    4,
    "Update hunk does not contain any lines",
  ],
  [
    "a line without a sign",
    ["*** Update File: a", "@@", "x"],
    4,
    "Unexpected line found in update hunk: 'x'. Every line should start with ' ' (context line), '+' (added line), or '-' (removed line)",
  ],
  [
    "two chunk heads in a row",
    ["*** Update File: a", "@@", "@@ b", "+x"],
    4,
    "Unexpected line found in update hunk: '@@ b'. Every line should start with ' ' (context line), '+' (added line), or '-' (removed line)",
  ],
  [
    "text between chunks",
    ["*** Update File: a", "@@", "+x", "y"],
    5,
    "Expected update hunk to start with a @@ context marker, got: 'y'",
  ],
  [
    "text after the end of the file",
    ["*** Update File: a", "+x", "*** End of File", "+y"],
    5,
    "Expected update hunk to start with a @@ context marker, got: '+y'",
  ],
])("%s is reported with its line", (_name, lines, lineNumber, message) => {
  expect(parsePatch(patch(...lines))).toEqual({
    ok: false,
    error: { kind: "invalid_hunk", message, lineNumber },
  });
});

test("a literal here-document is accepted unless the mode is strict", () => {
  const text = patch("*** Delete File: a");

  const parsed = ["<<EOF", "<<'EOF'", '<<"EOF"'].map((mark) =>
    parsePatch(`${mark}\n${text}\nEOF\n`),
  );
  const strict = parsePatch(`<<EOF\n${text}\nEOF\n`, { mode: "strict" });

  const whole = { ok: true, patch: { text, hunks: [{ type: "delete", path: "a" }] } };
  expect(parsed).toEqual([whole, whole, whole]);
  expect(strict).toMatchObject({ ok: false });
});

test("line endings and whitespace around the markers do not matter", () => {
  const text = "\n  *** Begin Patch \r\n  *** Add File: a\r\n+x\r\n *** End Patch\r\n\n";

  const parsed = parsePatch(text);

  expect(parsed).toMatchObject({ ok: true, patch: { hunks: [{ path: "a", contents: "x\n" }] } });
});

test("blank lines between the header and the first chunk are not part of it", () => {
  const parsed = parsePatch(patch("*** Update File: a", "", "@@", "-x"));

  const chunks = [{ context: undefined, lines: ["-x"], endOfFile: false }];
  expect(parsed).toMatchObject({ ok: true, patch: { hunks: [{ chunks }] } });
});

test.each([
  ["50 MB", `*** Begin Patch\n*** Add File: a\n${"+x\n".repeat(17_000_000)}*** End Patch`],
  ["100 000 sections", patch("*** Delete File: a\n".repeat(100_000).trimEnd())],
  ["200 000 chunks", patch("*** Update File: a", "@@\n+x\n".repeat(200_000).trimEnd())],
  ["no end", `*** Begin Patch\n*** Add File: a\n${"+x\n".repeat(MAX_PATCH_LENGTH / 4)}`],
])("a patch with %s is refused immediately", (_name, text) => {
  const parsed = parsePatch(text);

  expect(parsed).toEqual({
    ok: false,
    error: {
      kind: "invalid_patch",
      message: expect.stringMatching(/^The (patch (is longer|has more) than|last line)/),
    },
  });
});

function patch(...lines: string[]): string {
  return ["*** Begin Patch", ...lines, "*** End Patch"].join("\n");
}
