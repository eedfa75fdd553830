import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import {
  chmod,
  chown,
  link,
  mkdir,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import {
  applyChanges,
  applySections,
  parsePatch,
  type VerifiedPatch,
  verifyPatch,
} from "../../src/patch/index.js";
import { hostState } from "./host-state.js";
import { type TemporaryFolder, temporaryFolder } from "./temporary-folder.js";

test("a matching patch is applied and its files are listed", async () => {
  await using folder = await temporaryFolder();
  await folder.write({ a: "1\n2\n", gone: "x\n", from: "f\n" });
  const patch = await verified(
    folder,
    "*** Delete File: gone",
    "*** Update File: a",
    "-2",
    "+two",
    "*** Update File: from",
    "*** Move to: deep/down/to",
    "-f",
    "+g",
    "*** Add File: new/n",
    "+n",
  );

  const outcome = await applyChanges(patch);

  expect(outcome).toEqual({
    ok: true,
    stdout: "Success. Updated the following files:\nA new/n\nM a\nM deep/down/to\nD gone\n",
    stderr: "",
  });
  expect(await hostState(folder.path, 0o700)).toEqual({
    a: "file 600 1\ntwo\n",
    deep: "folder 700",
    "deep/down": "folder 700",
    "deep/down/to": "file 600 g\n",
    new: "folder 700",
    "new/n": "file 600 n\n",
  });
});

test.each([0o755, 0o600, 0o444 | 0o200])(
  "mode %o is preserved by an update and a move",
  async (mode) => {
    await using folder = await temporaryFolder();
    await folder.write({ a: "1\n", b: "1\n", taken: "2\n" });
    await chmod(join(folder.path, "a"), mode);
    await chmod(join(folder.path, "b"), mode);
    const lines = [
      "*** Update File: a",
      "-1",
      "+2",
      "*** Update File: b",
      "*** Move to: taken",
      "-1",
      "+2",
    ];

    await applyChanges(await verified(folder, ...lines));

    const file = `file ${mode.toString(8)} 2\n`;
    expect(await hostState(folder.path)).toEqual({ a: file, taken: file });
  },
);

test.runIf(process.getuid?.() === 0)("the owner of a file is preserved", async () => {
  await using folder = await temporaryFolder();
  await folder.write({ a: "1\n" });
  await chown(join(folder.path, "a"), 65534, 65533);

  await applyChanges(await verified(folder, "*** Update File: a", "*** Move to: b", "-1", "+2"));

  const { uid, gid } = await stat(join(folder.path, "b"));
  expect({ uid, gid }).toEqual({ uid: 65534, gid: 65533 });
});

test("a file is replaced, not overwritten, so hard links keep the old text", async () => {
  await using folder = await temporaryFolder();
  await folder.write({ a: "1\n" });
  await link(join(folder.path, "a"), join(folder.path, "other"));

  await applyChanges(await verified(folder, "*** Update File: a", "-1", "+2"));

  expect(await hostState(folder.path, 0o700)).toEqual({ a: "file 600 2\n", other: "file 600 1\n" });
});

test("two hard links to one file can be changed by one patch", async () => {
  await using folder = await temporaryFolder();
  await folder.write({ a: "1\n" });
  await link(join(folder.path, "a"), join(folder.path, "b"));
  const lines = ["*** Update File: a", "-1", "+2", "*** Update File: b", "-1", "+3"];

  const outcome = await applyChanges(await verified(folder, ...lines));

  expect(outcome).toMatchObject({ ok: true });
  expect(await hostState(folder.path, 0o700)).toEqual({ a: "file 600 2\n", b: "file 600 3\n" });
});

test("an update through a link changes its target and keeps the link", async () => {
  await using folder = await temporaryFolder();
  await folder.write({ "real/f": "1\n" });
  await symlink("real/f", join(folder.path, "l"));

  const outcome = await applyChanges(await verified(folder, "*** Update File: l", "-1", "+2"));

  expect(outcome).toMatchObject({
    ok: true,
    stdout: "Success. Updated the following files:\nM l\n",
  });
  expect(await hostState(folder.path, 0o700)).toEqual({
    l: "link to real/f",
    real: "folder 700",
    "real/f": "file 600 2\n",
  });
});

test("deleting or moving a link keeps its target", async () => {
  await using folder = await temporaryFolder();
  await folder.write({ f: "1\n" });
  await symlink("f", join(folder.path, "l"));
  await symlink("f", join(folder.path, "m"));
  const lines = ["*** Delete File: l", "*** Update File: m", "*** Move to: n", "-1", "+2"];

  await applyChanges(await verified(folder, ...lines));

  expect(await hostState(folder.path, 0o700)).toEqual({ f: "file 600 1\n", n: "file 600 2\n" });
});

test.each<[string, (path: string) => Promise<unknown>]>([
  ["written to", (path) => writeFile(join(path, "b"), "B\n")],
  ["removed", (path) => rm(join(path, "b"))],
  ["made", (path) => writeFile(join(path, "new"), "x\n")],
  ["given other rights", (path) => chmod(join(path, "b"), 0o755)],
  ["replaced by a link", (path) => rm(join(path, "b")).then(() => symlink("a", join(path, "b")))],
  ["replaced by a folder", (path) => rm(join(path, "b")).then(() => mkdir(join(path, "b")))],
])("if a file was %s after verification, nothing is changed", async (_name, disturb) => {
  await using folder = await temporaryFolder();
  await folder.write({ a: "a\n", b: "b\n" });
  const lines = ["*** Update File: a", "-a", "+A", "*** Update File: b", "-b", "+B"];
  const patch = await verified(folder, ...lines, "*** Add File: new", "+n");
  await disturb(folder.path);
  const before = await hostState(folder.path);

  const outcome = await applyChanges(patch);

  expect(outcome).toMatchObject({
    ok: false,
    stdout: "",
    stderr: expect.stringMatching(
      /^Failed to write file \/.*\/(b|new): it changed after the patch was checked; read it again and send a new patch\n$/,
    ),
    done: [],
  });
  expect(await hostState(folder.path)).toEqual(before);
});

test("a second section that does not match leaves both files unchanged", async () => {
  await using folder = await temporaryFolder();
  await folder.write({ a: "a\n", b: "b\n" });
  const before = await hostState(folder.path);

  const lines = ["*** Update File: a", "-a", "+A", "*** Update File: b", "-x", "+B"];
  const failure = await verification(folder, ...lines);

  const message = `Failed to find expected lines in ${folder.path}/b:\nx`;
  expect(failure).toEqual({ ok: false, failure: { kind: "no_match", message } });
  expect(await hostState(folder.path)).toEqual(before);
});

test("if an edit fails, the earlier ones are listed and no temporary file remains", async () => {
  await using folder = await temporaryFolder();
  await folder.write({ a: "a\n", b: "b\n", c: "c\n" });
  const sections = ["a", "b", "c"].flatMap((name) => [
    `*** Update File: ${name}`,
    `-${name}`,
    "+x",
  ]);
  const patch = await verified(folder, ...sections);
  // Another process changes the second file after the checks, when the first edit is made.
  const disturb = (path: string) => {
    if (path.endsWith("c")) writeFileSync(join(folder.path, "b"), "other\n");
    return undefined;
  };

  const outcome = await applyChanges(patch, { guard: { check: disturb } });

  const reason = "it changed after the patch was checked; read it again and send a new patch";
  expect(outcome).toMatchObject({
    ok: false,
    stdout: "",
    stderr: `Failed to write file ${folder.path}/b: ${reason}\nThese changes were made before that and stay:\nM a\n`,
    done: [{ label: "M a" }],
  });
  expect(await hostState(folder.path, 0o700)).toEqual({
    a: "file 600 x\n",
    b: "file 600 other\n",
    c: "file 600 c\n",
  });
});

test("a file name that is too long changes nothing", async () => {
  await using folder = await temporaryFolder();
  await folder.write({ a: "a\n" });
  const lines = ["*** Update File: a", "-a", "+A", `*** Add File: ${"x".repeat(300)}`, "+b"];

  const failure = await verification(folder, ...lines);

  expect(failure).toMatchObject({ ok: false, failure: { cause: { code: "ENAMETOOLONG" } } });
  expect(await hostState(folder.path, 0o700)).toEqual({ a: "file 600 a\n" });
});

test.skipIf(process.platform === "win32")("a pipe is neither read nor written", async () => {
  await using folder = await temporaryFolder();
  await promisify(execFile)("mkfifo", [join(folder.path, "pipe")]);

  const update = await verification(folder, "*** Update File: pipe", "-a");
  const add = await verification(folder, "*** Add File: pipe", "+a");
  const remove = await verification(folder, "*** Delete File: pipe");

  const refused = { ok: false, failure: { kind: "refused", reason: "not a regular file" } };
  expect([update, add, remove]).toMatchObject([refused, refused, refused]);
  expect(await hostState(folder.path, 0o700)).toEqual({ pipe: "special 600" });
});

test("applied section by section, those before a failure stay applied", async () => {
  await using folder = await temporaryFolder();
  const parsed = parse(
    "*** Add File: a",
    "+a",
    "*** Update File: none",
    "-x",
    "*** Add File: b",
    "+b",
  );

  const outcome = await applySections(parsed, { cwd: folder.path });

  expect(outcome).toEqual({
    ok: false,
    stdout: "",
    stderr: `Failed to read file to update ${folder.path}/none: No such file or directory (os error 2)\n`,
    done: parsed.slice(0, 1),
  });
  expect(await readFile(join(folder.path, "a"), "utf8")).toBe("a\n");
  expect(await readdir(folder.path)).toEqual(["a"]);
});

async function verified(folder: TemporaryFolder, ...lines: string[]): Promise<VerifiedPatch> {
  const result = await verification(folder, ...lines);
  if (!result.ok) throw new Error(JSON.stringify(result.failure));
  return result.patch;
}

function verification(folder: TemporaryFolder, ...lines: string[]) {
  return verifyPatch(parse(...lines), { cwd: folder.path });
}

function parse(...lines: string[]) {
  const parsed = parsePatch(["*** Begin Patch", ...lines, "*** End Patch"].join("\n"));
  if (!parsed.ok) throw new Error(parsed.error.message);
  return parsed.patch.hunks;
}
