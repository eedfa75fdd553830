import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { expect, test } from "vitest";
import { runApplyPatch } from "../../../src/cli/commands/apply-patch.js";
import { temporaryFolder } from "../../patch/temporary-folder.js";

const PATCH = "*** Begin Patch\n*** Add File: a\n+x\n*** End Patch\n";

test("a patch as argument is applied in the working folder", async () => {
  await using folder = await temporaryFolder();

  const result = await run([PATCH], "", folder.path);

  expect(result).toEqual({
    code: 0,
    stdout: "Success. Updated the following files:\nA a\n",
    stderr: "",
  });
  expect(await readFile(join(folder.path, "a"), "utf8")).toBe("x\n");
});

test("a patch on standard input is applied", async () => {
  await using folder = await temporaryFolder();

  const result = await run([], PATCH, folder.path);

  expect(result).toEqual({
    code: 0,
    stdout: "Success. Updated the following files:\nA a\n",
    stderr: "",
  });
});

test.each([
  [
    "a text that is no patch",
    "x",
    "Invalid patch: The first line of the patch must be '*** Begin Patch'\n",
  ],
  [
    "a section that is none",
    "*** Begin Patch\nx\n*** End Patch",
    /^Invalid patch hunk on line 2: 'x' is not a valid hunk header\./,
  ],
  ["a patch without sections", "*** Begin Patch\n*** End Patch", "No files were modified.\n"],
  [
    "a file that is not there",
    "*** Begin Patch\n*** Delete File: b\n*** End Patch",
    /^Failed to delete file \/.*\/b\n$/,
  ],
])("%s is said on standard error", async (_name, text, message) => {
  await using folder = await temporaryFolder();

  const { code, stdout, stderr } = await run([text], "", folder.path);

  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toEqual(typeof message === "string" ? message : expect.stringMatching(message));
  expect(await readdir(folder.path)).toEqual([]);
});

test("no patch, or more than one, is a wrong call", async () => {
  const none = await run([], "", "/");
  const two = await run([PATCH, PATCH], "", "/");

  expect([none.code, two.code]).toEqual([2, 2]);
  expect(none.stderr).toMatch(/^Usage: /);
  expect(two.stderr).toMatch(/^Error: apply-patch takes one argument \(got 2\)\.\nUsage: /);
});

test("input without end or that is not text is refused", async () => {
  const endless = Readable.from(
    (function* () {
      for (;;) yield Buffer.alloc(1024 * 1024, "+x\n");
    })(),
  );

  const results = [
    await run([], endless, "/"),
    await run([], Readable.from([Buffer.of(0xff)]), "/"),
  ];

  const stderr = "Error: the patch on standard input is too long or not UTF-8.\n";
  expect(results).toEqual([
    { code: 1, stdout: "", stderr },
    { code: 1, stdout: "", stderr },
  ]);
});

async function run(args: string[], stdin: string | Readable, cwd: string) {
  const output = { stdout: "", stderr: "" };
  const collect = (name: "stdout" | "stderr") =>
    new Writable({
      write(chunk, _encoding, done) {
        output[name] += String(chunk);
        done();
      },
    });
  const code = await runApplyPatch(args, {
    stdin: typeof stdin === "string" ? Readable.from([stdin]) : stdin,
    stdout: collect("stdout"),
    stderr: collect("stderr"),
    cwd,
  });
  return { code, ...output };
}
