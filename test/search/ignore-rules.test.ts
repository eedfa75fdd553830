import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { addRules, ignoredIn, rulesAbove } from "../../src/search/ignore-rules.js";

async function tree(files: Record<string, string>) {
  const root = await mkdtemp("/var/tmp/quire-ignore-");
  for (const [file, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, file)), { recursive: true });
    await writeFile(join(root, file), text);
  }
  return { root, [Symbol.asyncDispose]: () => rm(root, { recursive: true }) };
}

test.each([
  ["*.log", "a.log", false, true],
  ["*.log", "a.txt", false, false],
  ["build/", "build", true, true],
  ["build/", "build", false, false],
  ["/only-here", "only-here", false, true],
  ["*.log\n!keep.log", "keep.log", false, false],
  ["# comment\n\n", "comment", false, false],
  ["# comment\r\n  \r\n", " ", false, false],
  ["# comment\n #notes", " #notes", false, true],
])("with %j, %s (folder: %j) is ignored: %j", async (rules, name, isFolder, isIgnored) => {
  await using dir = await tree({ ".gitignore": rules });
  const found = await addRules(dir.root, undefined, true);
  expect(ignoredIn(dir.root, found)(name, isFolder)).toBe(isIgnored);
});

test("a folder without rule files inherits those of its parents", async () => {
  await using dir = await tree({ ".ignore": "*.log", "sub/a.txt": "" });
  const above = await addRules(dir.root, undefined, false);
  const sub = join(dir.root, "sub");
  const rules = await addRules(sub, above, false);
  expect(rules).toBe(above);
  expect(ignoredIn(sub, rules)("a.log", false)).toBe(true);
});

test("the nearest rule that matches decides", async () => {
  await using dir = await tree({ ".gitignore": "*.log", "sub/.gitignore": "!keep.log" });
  const sub = join(dir.root, "sub");
  const rules = await addRules(sub, await addRules(dir.root, undefined, true), true);
  const isIgnored = ignoredIn(sub, rules);
  expect(isIgnored("keep.log", false)).toBe(false);
  expect(isIgnored("other.log", false)).toBe(true);
  expect(ignoredIn(sub, undefined)("other.log", false)).toBe(false);
});

test("rules of the parents apply up to the root of the repository", async () => {
  await using dir = await tree({
    ".ignore": "*",
    "repo/.git/info/exclude": "excluded",
    "repo/.gitignore": "*.log",
    "repo/a/b/file": "",
  });
  const folder = join(dir.root, "repo/a/b");
  const { isRepository, rules } = await rulesAbove(folder);
  const isIgnored = ignoredIn(folder, rules);
  expect(isRepository).toBe(true);
  expect(isIgnored("x.log", false)).toBe(true);
  expect(isIgnored("excluded", false)).toBe(true);
  expect(isIgnored("file", false)).toBe(false);
});

test("an oversized rules file is skipped", async () => {
  await using dir = await tree({ ".gitignore": `*.log\n${"#".repeat(1024 * 1024)}` });
  expect(await addRules(dir.root, undefined, true)).toBeUndefined();
});
