import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { walk } from "../../src/search/walk.js";

/** A folder with files in it, which is removed at the end of the test. */
async function tree(files: Record<string, string>) {
  // Not in /tmp: while a sandbox of another test runs, there is something named .git.
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

test("files and folders are found, hidden ones too, but not the insides of .git", async () => {
  await using place = await tree({ "a/b.txt": "", ".env": "", ".git/HEAD": "", "c.txt": "" });

  expect(await walked(place.root)).toEqual([".env", "a/", "a/b.txt", "c.txt"]);
});

test("the nearest rules decide what is passed over", async () => {
  await using place = await tree({
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

  expect((await walked(place.root)).filter((path) => !path.includes(".gitignore"))).toEqual([
    "other/",
    "other/own",
    "sub/",
    "sub/deep/",
    "sub/deep/build",
    "sub/keep.log",
    "sub/only-here",
  ]);
});

test("outside of a repository only .ignore files count", async () => {
  await using place = await tree({ ".gitignore": "a", ".ignore": "b", a: "", b: "" });

  expect(await walked(place.root)).toEqual([".gitignore", ".ignore", "a"]);
});

test("rules of the repository hold below it, unless they hide the root itself", async () => {
  await using place = await tree({
    ".git/HEAD": "",
    ".gitignore": "*.log\nvendor/\n",
    "src/a.log": "",
    "src/a.ts": "",
    "vendor/lib/a.log": "",
  });

  expect(await walked(join(place.root, "src"))).toEqual(["a.ts"]);
  expect(await walked(join(place.root, "vendor"))).toEqual(["lib/", "lib/a.log"]);
});

test("links are followed, but not in circles", async () => {
  await using place = await tree({ "real/file": "", "real/inner/x": "" });
  await using other = await tree({ "far/away": "" });
  await symlink(join(place.root, "real"), join(place.root, "link"));
  await symlink(place.root, join(place.root, "real", "inner", "up"));
  await symlink(other.root, join(place.root, "out"));
  await symlink("/nowhere/at/all", join(place.root, "dead"));

  expect(await walked(place.root)).toEqual([
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

test("a walk that is not wanted any more ends, and a root that is not there has nothing", async () => {
  await using place = await tree({ "a/b/c": "" });
  const stop = new AbortController();
  stop.abort();

  expect(await walked(place.root, stop.signal)).toEqual([]);
  expect(await walked(join(place.root, "nothing"))).toEqual([]);
});
