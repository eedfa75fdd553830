import { mkdir, readdir, symlink, truncate } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  commandLineText,
  failureText,
  parsePatch,
  recordedFailureText,
  verifyPatch,
} from "../../src/patch/index.js";
import { type TemporaryFolder, temporaryFolder } from "./temporary-folder.js";

test("each kind of section becomes its kind of change", async () => {
  await using folder = await temporaryFolder();
  await folder.write({ "a.txt": "alpha\nbeta\ngamma\n", "gone.txt": "bye\n", "from.txt": "x\n" });

  const verified = await verify(
    folder,
    "*** Add File: new.txt",
    "+one",
    "*** Update File: a.txt",
    "@@",
    " alpha",
    "-beta",
    "+BETA",
    " gamma",
    "*** Delete File: gone.txt",
    "*** Update File: from.txt",
    "*** Move to: sub/to.txt",
    "@@",
    "-x",
    "+y",
  );

  expect(verified).toMatchObject({
    ok: true,
    patch: {
      cwd: folder.path,
      changes: {
        [join(folder.path, "new.txt")]: { type: "add", content: "one\n" },
        [join(folder.path, "a.txt")]: {
          type: "update",
          unified_diff: "@@ -1,3 +1,3 @@\n alpha\n-beta\n+BETA\n gamma\n",
        },
        [join(folder.path, "gone.txt")]: { type: "delete", content: "bye\n" },
        [join(folder.path, "from.txt")]: {
          type: "update",
          unified_diff: "@@ -1 +1 @@\n-x\n+y\n",
          move_path: join(folder.path, "sub/to.txt"),
        },
      },
      summary:
        "Success. Updated the following files:\nA new.txt\nM a.txt\nM sub/to.txt\nD gone.txt\n",
    },
  });
  expect(await readdir(folder.path)).toEqual(["a.txt", "from.txt", "gone.txt"]);
});

test.each([
  [
    "a file updated twice is one update",
    ["*** Update File: a.txt", "-a", "+b", "*** Update File: a.txt", "-b", "+c"],
    { "a.txt": { type: "update", unified_diff: "@@ -1 +1 @@\n-a\n+c\n" } },
  ],
  [
    "a file added and updated is added",
    ["*** Add File: n", "+1", "*** Update File: n", "-1", "+2"],
    { n: { type: "add", content: "2\n" } },
  ],
  ["a file added and deleted is nothing", ["*** Add File: n", "+1", "*** Delete File: n"], {}],
  [
    "a file added and moved is added there",
    ["*** Add File: n", "+1", "*** Update File: n", "*** Move to: m", "-1", "+2"],
    { m: { type: "add", content: "2\n" } },
  ],
  [
    "a file updated and deleted is deleted",
    ["*** Update File: a.txt", "-a", "+b", "*** Delete File: a.txt"],
    { "a.txt": { type: "delete", content: "a\n" } },
  ],
  [
    "a file moved twice went from first to last",
    [
      "*** Update File: a.txt",
      "*** Move to: b",
      "-a",
      "+b",
      "*** Update File: b",
      "*** Move to: c",
      "-b",
      "+c",
    ],
    { "a.txt": { type: "update", unified_diff: "@@ -1 +1 @@\n-a\n+c\n", move_path: "c" } },
  ],
  [
    "a file moved onto itself is updated",
    ["*** Update File: a.txt", "*** Move to: ./a.txt", "-a", "+b"],
    { "a.txt": { type: "update", unified_diff: "@@ -1 +1 @@\n-a\n+b\n" } },
  ],
  [
    "a file added over another is added",
    ["*** Add File: a.txt", "+x"],
    { "a.txt": { type: "add", content: "x\n" } },
  ],
  [
    "a file moved away and replaced is added there",
    ["*** Update File: a.txt", "*** Move to: b", "-a", "+b", "*** Add File: a.txt", "+x"],
    { "a.txt": { type: "add", content: "x\n" }, b: { type: "add", content: "b\n" } },
  ],
])("%s", async (_name, lines, changes) => {
  await using folder = await temporaryFolder();
  await folder.write({ "a.txt": "a\n" });

  const verified = await verify(folder, ...lines);

  const relative = JSON.parse(
    JSON.stringify(verified.ok && verified.patch.changes).replaceAll(`${folder.path}/`, ""),
  );
  expect(relative).toEqual(changes);
});

test.each([
  [
    "Update File: none",
    "Failed to read file to update DIR/none: No such file or directory (os error 2)",
  ],
  ["Update File: folder", "Failed to read file to update DIR/folder: Is a directory (os error 21)"],
  [
    "Update File: a.txt/x",
    "Failed to read file to update DIR/a.txt/x: Not a directory (os error 20)",
  ],
  [
    "Update File: binary",
    "Failed to read file to update DIR/binary: stream did not contain valid UTF-8",
  ],
  [
    "Update File: zeros",
    "Failed to read file to update DIR/zeros: the file is binary, it contains NUL bytes",
  ],
  ["Update File: large", "Failed to read file to update DIR/large: the file is larger than 16 MiB"],
  [
    "Update File: dangling",
    "Failed to read file to update DIR/dangling: DIR/dangling is a symbolic link to nothing",
  ],
  [
    "Update File: loop",
    "Failed to read file to update DIR/loop: Too many levels of symbolic links (os error 40)",
  ],
  [
    "Update File: x\0y",
    "Failed to read file to update DIR/x\0y: the path contains a NUL character",
  ],
  ["Delete File: none", "Failed to read DIR/none: No such file or directory (os error 2)"],
  ["Delete File: folder", "Failed to read DIR/folder: Is a directory (os error 21)"],
  ["Add File: folder", "Failed to write file DIR/folder: Is a directory (os error 21)"],
  ["Add File: new/", "Failed to write file DIR/new: Is a directory (os error 21)"],
  ["Add File: a.txt/x", "Failed to write file DIR/a.txt/x: Not a directory (os error 20)"],
  [
    "Add File: dangling",
    "Failed to write file DIR/dangling: DIR/dangling is a symbolic link to nothing",
  ],
  [
    "Add File: dangling/x",
    "Failed to write file DIR/dangling/x: DIR/dangling is a symbolic link to nothing",
  ],
])("%j fails with a reason", async (header, text) => {
  await using folder = await temporaryFolder();
  await folder.write({
    "a.txt": "a\n",
    binary: Uint8Array.of(0xff, 0xfe),
    zeros: "a\0b\n",
    large: "",
  });
  await truncate(join(folder.path, "large"), 33 * 1024 * 1024);
  await mkdir(join(folder.path, "folder"));
  await symlink("nowhere", join(folder.path, "dangling"));
  await symlink("loop", join(folder.path, "loop"));
  const body = header.startsWith("Update") ? ["-a", "+b"] : header.startsWith("Add") ? ["+b"] : [];

  const verified = await verify(folder, `*** ${header}`, ...body);

  const said = verified.ok ? "verified" : failureText(verified.failure);
  expect(said.replaceAll(folder.path, "DIR")).toBe(text);
});

test("a file in place of a folder is detected before anything is written", async () => {
  await using folder = await temporaryFolder();

  const verified = await verify(folder, "*** Add File: a", "+x", "*** Add File: a/b", "+y");

  expect(verified).toMatchObject({ ok: false, failure: { cause: { code: "ENOTDIR" } } });
});

test("two paths to one file see each other's changes", async () => {
  await using folder = await temporaryFolder();
  await folder.write({ "real/f": "a\n" });
  await symlink("real", join(folder.path, "link"));

  const verified = await verify(
    folder,
    "*** Update File: real/f",
    "-a",
    "+b",
    "*** Update File: link/f",
    "-b",
    "+c",
  );

  expect(verified.ok && verified.patch.edits.map(({ after }) => after)).toEqual(["c\n"]);
});

test("binary files may be overwritten", async () => {
  await using folder = await temporaryFolder();
  await folder.write({ a: "a\n", binary: Uint8Array.of(0xff), other: Uint8Array.of(0xff) });

  const verified = await verify(
    folder,
    "*** Update File: a",
    "*** Move to: binary",
    "-a",
    "+b",
    "*** Add File: other",
    "+x",
  );

  expect(verified).toMatchObject({ ok: true });
});

test("an empty patch modifies no files", async () => {
  const verified = await verifyPatch([], { cwd: "/" });

  expect(verified).toEqual({ ok: false, failure: { kind: "empty" } });
  expect(failureText({ kind: "empty" })).toBe("No files were modified.");
});

test("failures are formatted as in the recordings", () => {
  const header = "'foo' is not a valid hunk header.";

  expect(recordedFailureText({ kind: "no_match", message: 'Failed in /a:\nno"pe' })).toBe(
    'ComputeReplacements(\n    "Failed in /a:\\nno\\"pe",\n)',
  );
  expect(recordedFailureText({ kind: "invalid_hunk", message: header, lineNumber: 2 })).toBe(
    `ParseError(\n    InvalidHunkError {\n        message: "${header}",\n        line_number: 2,\n    },\n)`,
  );
  const cause = { errno: 2, code: "ENOENT", text: "No such file or directory" };
  expect(recordedFailureText({ kind: "io", context: "Failed to read /a", cause })).toBe(
    [
      "IoError(",
      "    IoError {",
      '        context: "Failed to read /a",',
      "        source: Os {",
      "            code: 2,",
      "            kind: NotFound,",
      '            message: "No such file or directory",',
      "        },",
      "    },",
      ")",
    ].join("\n"),
  );
  expect(commandLineText({ kind: "invalid_hunk", message: header, lineNumber: 2 })).toBe(
    `Invalid patch hunk on line 2: ${header}`,
  );
  expect(commandLineText({ kind: "invalid_patch", message: "m" })).toBe("Invalid patch: m");
  expect(failureText({ kind: "invalid_patch", message: "m" })).toBe("invalid patch: m");
  expect(failureText({ kind: "invalid_hunk", message: "m", lineNumber: 3 })).toBe(
    "invalid hunk at line 3, m",
  );
});

async function verify(folder: TemporaryFolder, ...lines: string[]) {
  const parsed = parsePatch(["*** Begin Patch", ...lines, "*** End Patch"].join("\n"));
  if (!parsed.ok) throw new Error(parsed.error.message);
  return verifyPatch(parsed.patch.hunks, { cwd: folder.path });
}
