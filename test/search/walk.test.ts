import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { walk } from "../../src/search/walk.js";

/** Creates a folder with files, which is removed when the test ends. */
async function tree(files: Record<string, string>) {
  // Not in /tmp: while a sandbox of another test runs, there is a `.git` in it.
  const root = await mkdtemp("/var/tmp/quire-walk-");
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  return { root, [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }) };
}

async function walked(root: string, signal = new AbortController().signal): Promise<string[]> {
  const paths: string[] = [];
  const onEntry = ({ path, isFolder }: { path: string; isFolder: boolean }) =>
    paths.push(isFolder ? `${path}/` : path);
  await walk({ root, signal, onEntry });
  return paths.sort();
}

test("finds files and folders, including hidden ones, but not the contents of .git", async () => {
  await using dir = await tree({ "a/b.txt": "", ".env": "", ".git/HEAD": "", "c.txt": "" });

  expect(await walked(dir.root)).toEqual([".env", "a/", "a/b.txt", "c.txt"]);
});

test("the nearest ignore rules decide", async () => {
  await using dir = await tree({
    ".git/info/exclude": "secret\n",
    ".gitignore": "*.log\nbuild/\n/only-here\n",
    "a.log": "",
    secret: "",
    "only-here": "",
    "build/x": "",
    "sub/.gitignore": "!keep.log\nown\n",
    "sub/keep.log": "",
    "sub/drop.log": "",
    "sub/own": "",
    "sub/only-here": "",
    "sub/deep/build": "a file",
    "other/own": "",
  });

  expect((await walked(dir.root)).filter((path) => !path.includes(".gitignore"))).toEqual([
    "other/",
    "other/own",
    "sub/",
    "sub/deep/",
    "sub/deep/build",
    "sub/keep.log",
    "sub/only-here",
  ]);
});

test("only .ignore files apply outside of a repository", async () => {
  await using dir = await tree({ ".gitignore": "a", ".ignore": "b", a: "", b: "" });

  expect(await walked(dir.root)).toEqual([".gitignore", ".ignore", "a"]);
});

test("rules of the repository apply, unless they ignore the root of the search", async () => {
  await using dir = await tree({
    ".git/HEAD": "",
    ".gitignore": "*.log\nvendor/\n",
    "src/a.log": "",
    "src/a.ts": "",
    "vendor/lib/a.log": "",
  });

  expect(await walked(join(dir.root, "src"))).toEqual(["a.ts"]);
  expect(await walked(join(dir.root, "vendor"))).toEqual(["lib/", "lib/a.log"]);
});

test("links are followed, but not in cycles", async () => {
  await using dir = await tree({ "real/file": "", "real/inner/x": "" });
  await using other = await tree({ "far/away": "" });
  await symlink(join(dir.root, "real"), join(dir.root, "link"));
  await symlink(dir.root, join(dir.root, "real", "inner", "up"));
  await symlink(other.root, join(dir.root, "out"));
  await symlink("/nowhere/at/all", join(dir.root, "dead"));

  expect(await walked(dir.root)).toEqual([
    "dead",
    "link/",
    "link/file",
    "link/inner/",
    "link/inner/up/",
    "link/inner/x",
    "out/",
    "out/far/",
    "out/far/away",
    "real/",
    "real/file",
    "real/inner/",
    "real/inner/up/",
    "real/inner/x",
  ]);
});

test("an aborted walk ends, and a missing root has no entries", async () => {
  await using dir = await tree({ "a/b/c": "" });
  const stop = new AbortController();
  stop.abort();

  expect(await walked(dir.root, stop.signal)).toEqual([]);
  expect(await walked(join(dir.root, "nothing"))).toEqual([]);
});
