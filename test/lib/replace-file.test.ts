import { chmod, mkdir, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { followLinks, removeLeftovers, replaceFile } from "../../src/lib/replace-file.js";
import { temporaryFolder } from "../project/temporary-folder.js";

const modeOf = async (file: string) => (await stat(file)).mode & 0o7777;

test("a file is replaced in one step and keeps its mode; nothing else is left behind", async () => {
  await using folder = await temporaryFolder();
  const file = join(folder.path, "settings");
  await writeFile(file, "old");
  await chmod(file, 0o640);

  expect(await replaceFile(file, "new")).toBe(true);

  expect(await readFile(file, "utf8")).toBe("new");
  expect(await modeOf(file)).toBe(0o640);
  expect(await readdir(folder.path)).toEqual(["settings"]);
});

test("a new file is private unless a mode is given", async () => {
  await using folder = await temporaryFolder();
  const [one, other] = [join(folder.path, "one"), join(folder.path, "other")];

  await replaceFile(one, "1");
  await replaceFile(other, "2", { mode: 0o755 });

  expect([await modeOf(one), await modeOf(other)]).toEqual([0o600, 0o755]);
});

test("a file that changed in the meantime is left alone", async () => {
  await using folder = await temporaryFolder();
  const file = join(folder.path, "settings");
  await writeFile(file, "theirs");

  expect(await replaceFile(file, "ours", { isUnchanged: () => false })).toBe(false);

  expect(await readFile(file, "utf8")).toBe("theirs");
  expect(await readdir(folder.path)).toEqual(["settings"]);
});

test("a failure leaves the old text and no temporary file", async () => {
  await using folder = await temporaryFolder();
  const file = join(folder.path, "folder");
  await mkdir(join(file, "child"), { recursive: true });

  await expect(replaceFile(file, "text")).rejects.toThrow();

  expect(await readdir(folder.path)).toEqual(["folder"]);
});

test("only the temporary files of this file are removed", async () => {
  await using folder = await temporaryFolder();
  await folder.write({ ".a.1.tmp": "", ".a.2.tmp": "", ".b.1.tmp": "", ".a.keep": "", a: "" });

  await removeLeftovers(join(folder.path, "a"));
  await removeLeftovers(join(folder.path, "missing", "a"));

  expect((await readdir(folder.path)).sort()).toEqual([".a.keep", ".b.1.tmp", "a"]);
});

test("links are followed to a file that need not exist, and its folder is made", async () => {
  await using folder = await temporaryFolder();
  const at = (name: string) => join(folder.path, name);
  await symlink("second", at("first"));
  await symlink("new/folder/target", at("second"));
  await symlink("circle", at("circle"));

  expect(await followLinks(at("first"))).toBe(at("new/folder/target"));
  expect((await stat(at("new/folder"))).isDirectory()).toBe(true);
  await expect(followLinks(at("circle"))).rejects.toThrow(at("circle"));
});
