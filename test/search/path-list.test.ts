import fc from "fast-check";
import { expect, test } from "vitest";
import { PathList } from "../../src/search/path-list.js";
import { parsePattern } from "../../src/search/pattern.js";

function search(paths: readonly string[], query: string, { smartCase = false, limit = 50 } = {}) {
  const list = new PathList();
  for (const path of paths) list.add({ path, isFolder: false });
  return list.search(parsePattern(query, { smartCase }), limit);
}

/** Scores and positions of the reference. */
test.each([
  ["foo", ".hidden/foo.txt", 84, [8, 9, 10]],
  ["foo", ".foorc", 80, [1, 2, 3]],
  ["foo", "src/lib/deep/fxoxo.txt", 60, [13, 15, 17]],
  ["src/main", "src/main.ts", 209, [0, 1, 2, 3, 4, 5, 6, 7]],
  ["lo.", "src/lib/FooBar.ts", 62, [4, 9, 14]],
  ["passwd", "etc/pam.d/common-password", 140, [17, 18, 19, 20, 21, 24]],
  ["zod4", "zod/v4-mini/index.js", 101, [0, 1, 2, 5]],
  ["jc1", "ajv/lib/refs/json-schema-2020-12", 55, [13, 19, 30]],
  ["^src foo", "src/lib/foo-bar.md", 168, [0, 1, 2, 8, 9, 10]],
  ["ts$", "src/main.ts", 56, [9, 10]],
  ["'oo", "lib/FooBar.ts", 36, [5, 6]],
  ["^main.ts$", "main.ts", 184, [0, 1, 2, 3, 4, 5, 6]],
  ["a\\ b", "a b.txt", 84, [0, 1, 2]],
  ["!foo txt", "a b.txt", 80, [4, 5, 6]],
  ["9", "dist/chunks/defaults.9aQ.js", 32, [21]],
])("%j matches %s with score %d", (query, path, score, indices) => {
  expect(search([path], query)).toEqual([{ path, isFolder: false, score, indices }]);
});

test.each([
  ["oof", "foo"],
  ["^lib", "src/lib"],
  ["src$", "src/lib"],
  ["!lib", "src/lib"],
  ["'fo.", "foo.ts"],
  ["^foo$", "foo.ts"],
])("%j does not match %s", (query, path) => {
  expect(search([path], query)).toEqual([]);
});

test("case matters only with smart case and a capital letter", () => {
  const paths = ["Foo.ts", "foo.ts"];

  expect(
    search(paths, "Foo")
      .map(({ path }) => path)
      .sort(),
  ).toEqual(paths);
  expect(search(paths, "Foo", { smartCase: true }).map(({ path }) => path)).toEqual(["Foo.ts"]);
  expect(search(paths, "foo", { smartCase: true })).toHaveLength(2);
});

test("accents are optional, and positions count characters", () => {
  expect(search(["Café/😀/menü.txt"], "cafe menu")).toEqual([
    {
      path: "Café/😀/menü.txt",
      isFolder: false,
      score: expect.any(Number),
      indices: [0, 1, 2, 3, 7, 8, 9, 10],
    },
  ]);
});

test("the best matches are kept; of equal scores the shorter paths", () => {
  const paths = ["long/way/to/file.txt", "x/file.txt", "file.txt", "f-i-l-e.txt"];

  const found = search(paths, "file", { limit: 2 }).map(({ path }) => path);

  expect(found).toEqual(["file.txt", "x/file.txt"]);
});

test("every subsequence of a path matches it, at positions that spell it", () => {
  const name = fc.string({
    unit: fc.constantFrom(..."abcXYZ019_-./ "),
    minLength: 1,
    maxLength: 40,
  });
  fc.assert(
    fc.property(name, fc.array(fc.boolean(), { minLength: 40, maxLength: 40 }), (path, keep) => {
      const query = [...path].filter((char, index) => keep[index] && char !== " ").join("");
      if (query === "" || /^[!^']|\$$/.test(query)) return;
      const [found] = search([path], query);
      const spelled = found?.indices.map((index) => path[index]).join("");
      expect(spelled?.toLowerCase()).toBe(query.toLowerCase());
    }),
  );
});
