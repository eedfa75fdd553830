import { execFileSync } from "node:child_process";
import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  foldersSince,
  foldersSinceMarker,
  foldersUp,
  hasMarker,
  projectFolders,
  readFileHead,
  realPath,
  unlinkQuietly,
} from "../../src/lib/files.js";
import { temporaryFolder } from "../project/temporary-folder.js";

test("a project begins at the nearest folder that has one of its markers", async () => {
  await using folder = await temporaryFolder();
  await folder.write({ "top/.hg/": "", "top/a/Makefile": "", "top/a/b/c/": "" });
  const at = (name: string) => join(folder.path, name);

  const found = [["Makefile"], [".hg"], [".hg", "Makefile"], [""]].map((markers) =>
    foldersSinceMarker(at("top/a/b/c"), markers),
  );

  const below = [at("top/a"), at("top/a/b"), at("top/a/b/c")];
  expect(found).toEqual([below, [at("top"), ...below], below, undefined]);
  expect(projectFolders(at("top/a"), ["no such"])).toEqual([at("top/a")]);
});

test("an empty .git folder is no repository, while a file or a link may lead to one", async () => {
  await using folder = await temporaryFolder();
  await folder.write({
    "repository/.git/HEAD": "ref: refs/heads/main\n",
    "work-tree/.git": "gitdir: elsewhere\n",
    "left-behind/.git/": "",
    "linked/": "",
    "linked-to-empty/": "",
    "none/": "",
  });
  await symlink("../repository/.git", join(folder.path, "linked/.git"));
  await symlink("../left-behind/.git", join(folder.path, "linked-to-empty/.git"));

  const names = ["repository", "work-tree", "left-behind", "linked", "linked-to-empty", "none"];
  const marked = names.filter((name) => hasMarker(join(folder.path, name), ".git"));

  expect(marked).toEqual(["repository", "work-tree", "linked"]);
});

test("the folders of a path lead up to the root", () => {
  expect([...foldersUp("/a/b")]).toEqual(["/a/b", "/a", "/"]);
  expect([...foldersUp("/")]).toEqual(["/"]);
  expect(foldersSince("/a/b/c", (folder) => folder === "/a")).toEqual(["/a", "/a/b", "/a/b/c"]);
  expect(foldersSince("/a/b", () => false)).toBeUndefined();
});

test("the head of a file is read up to its limit", async () => {
  await using folder = await temporaryFolder();
  await folder.write({ short: "abc", empty: "" });
  const read = (name: string, limit: number) => readFileHead(join(folder.path, name), limit);

  expect(read("short", 10)).toEqual({ bytes: Buffer.from("abc"), whole: true });
  expect(read("short", 2)).toEqual({ bytes: Buffer.from("ab"), whole: false });
  expect(read("empty", 2)).toEqual({ bytes: Buffer.from(""), whole: true });
});

test("a file that is missing or not a file is a problem, not an exception", async () => {
  await using folder = await temporaryFolder();
  await folder.write({ file: "", "folder/": "" });
  execFileSync("mkfifo", [join(folder.path, "pipe")]);
  const read = (name: string) => readFileHead(join(folder.path, name), 10);

  expect(read("none")).toMatchObject({ missing: true });
  expect(read("file/below")).toMatchObject({ missing: true });
  expect(read("folder")).toEqual({ problem: "it is not a file", missing: false });
  expect(read("pipe")).toEqual({ problem: "it is not a file", missing: false });
});

test("links are resolved where the path exists, and removing a missing file is fine", async () => {
  await using folder = await temporaryFolder();
  await folder.write({ target: "" });
  const [link, target] = [join(folder.path, "link"), join(folder.path, "target")];
  await symlink("target", link);

  expect(realPath(link)).toBe(realPath(target));
  expect(realPath(join(folder.path, "none"))).toBe(join(folder.path, "none"));
  unlinkQuietly(target);
  unlinkQuietly(target);
  expect(readFileHead(target, 1)).toMatchObject({ missing: true });
});
