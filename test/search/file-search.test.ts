import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { byScore, FileSearch, type FileSearchOptions, fileNameOf } from "../../src/search/index.js";

async function tree(...files: string[]) {
  // Not in /tmp: while a sandbox of another test runs, there is a `.git` in it.
  const root = await mkdtemp("/var/tmp/quire-search-");
  for (const file of files) {
    await mkdir(dirname(join(root, file)), { recursive: true });
    await writeFile(join(root, file), "");
  }
  return { root, [Symbol.asyncDispose]: () => rm(root, { recursive: true }) };
}

async function walked(options: Partial<FileSearchOptions> & { roots: string[] }) {
  const search = new FileSearch({ folders: false, limit: 10, smartCase: false, ...options });
  await search.walked;
  return search;
}

test("finds files by letters of their path, best first", async () => {
  await using dir = await tree("src/main.ts", "docs/manual.md", "src/util/domain.ts", "README.md");
  const search = await walked({ roots: [dir.root] });

  expect(search.find("main")[0]).toEqual({
    root: dir.root,
    path: "src/main.ts",
    name: "main.ts",
    isFolder: false,
    score: expect.any(Number),
    indices: [4, 5, 6, 7],
  });
  expect(search.isComplete).toBe(true);
  expect(search.size).toBe(4);
});

test.each([
  ["", []],
  ["  ", []],
  ["nothing-like-it", []],
  ["^src .ts$", ["src/a.ts", "src/b.ts"]],
  ["^src !b", ["src/a.ts"]],
])("the query %j finds %j", async (query, paths) => {
  await using dir = await tree("src/a.ts", "src/b.ts", "test/a.ts");
  const search = await walked({ roots: [dir.root] });
  expect(search.find(query).map(({ path }) => path)).toEqual(paths);
});

test("folders are found only if they are wanted", async () => {
  await using dir = await tree("source/a.ts");
  const files = await walked({ roots: [dir.root] });
  const both = await walked({ roots: [dir.root], folders: true });
  expect(files.find("source").map(({ path }) => path)).toEqual(["source/a.ts"]);
  expect(both.find("source").map(({ path }) => path)).toEqual(["source", "source/a.ts"]);
});

test("several roots are searched together, each once; the limit holds for all", async () => {
  await using one = await tree("same.ts", "one.ts");
  await using two = await tree("same.ts", "two.ts");
  const search = await walked({ roots: [one.root, two.root, one.root], limit: 3 });
  expect(search.size).toBe(4);
  expect(new Set(search.find("same").map(({ root }) => root))).toEqual(
    new Set([one.root, two.root]),
  );
  expect(search.find("ts")).toHaveLength(3);
});

test("a closed search ends its walk, and a missing root has no files", async () => {
  await using dir = await tree("a.ts");
  const search = new FileSearch({
    roots: [dir.root, "/nowhere/at/all"],
    folders: false,
    limit: 5,
    smartCase: false,
  });
  search.close();
  await search.walked;
  expect(search.size).toBeLessThanOrEqual(1);
});

test.each([
  ["src/main.ts", "main.ts"],
  ["main.ts", "main.ts"],
  ["src/dir/", "dir"],
  ["src/.", "src"],
  ["..", ".."],
  ["a/..", "a/.."],
  ["", ""],
])("the name of %j is %j", (path, name) => {
  expect(fileNameOf(path)).toBe(name);
});

test("results are ordered by score, then by path", () => {
  const files = [
    { path: "b", score: 1 },
    { path: "a", score: 1 },
    { path: "c", score: 2 },
  ];
  expect(files.sort(byScore).map(({ path }) => path)).toEqual(["c", "a", "b"]);
});
