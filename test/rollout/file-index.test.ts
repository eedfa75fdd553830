import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type FileEntry, FileIndex } from "../../src/rollout/file-index.js";
import { type TestHome, temporaryHome } from "./support.js";

interface Entry extends FileEntry {
  value: string;
}

const header = '{"test_index":1}';

function open(home: TestHome, worthwhile = 0): FileIndex<Entry> {
  return new FileIndex<Entry>({
    path: join(home.path, "index.jsonl"),
    header,
    isEntry: (entry): entry is Entry => typeof entry.value === "string",
    worthwhile,
  });
}

function entry(file: string, value = "v"): Entry {
  return { file, inode: 1, value };
}

function text(home: TestHome): string {
  return readFileSync(join(home.path, "index.jsonl"), "utf8");
}

test("entries are stored, and found by another index", async () => {
  await using home = await temporaryHome();
  const index = open(home);
  await index.load();
  index.add(entry("a"));
  index.add(entry("b"));
  await index.save();
  const other = open(home);
  await other.load();

  expect(other.get("a")).toEqual(entry("a"));
  expect(other.get("c")).toBeUndefined();
  expect(text(home)).toBe(
    `${header}\n${JSON.stringify(entry("a"))}\n${JSON.stringify(entry("b"))}\n`,
  );
  expect(statSync(join(home.path, "index.jsonl")).mode & 0o777).toBe(0o600);
});

test("few entries are not worth a file, and nothing new writes nothing", async () => {
  await using home = await temporaryHome();
  const index = open(home, 2);
  index.add(entry("a"));
  await index.save();
  expect(() => text(home)).toThrow("ENOENT");

  index.add(entry("b"));
  await index.save();
  const before = text(home);
  await index.save();

  expect(text(home)).toBe(before);
});

test("new entries are appended to a sound file, and the last of a file counts", async () => {
  await using home = await temporaryHome();
  const index = open(home);
  index.add(entry("a", "old"));
  await index.save();
  index.add(entry("a", "new"));
  await index.save();
  const other = open(home);
  await other.load();

  expect(text(home).split("\n")).toHaveLength(4);
  expect(other.get("a")?.value).toBe("new");
});

test("a file with another header is replaced", async () => {
  await using home = await temporaryHome();
  writeFileSync(join(home.path, "index.jsonl"), '{"other":1}\nrubbish\n');
  const index = open(home);
  await index.load();
  expect(index.get("a")).toBeUndefined();
  index.add(entry("a"));
  await index.save();

  expect(text(home)).toBe(`${header}\n${JSON.stringify(entry("a"))}\n`);
});

test.each([
  ["invalid JSON", '{"file":"a","inode":1,"value"'],
  ["another type", '{"file":"a","inode":1,"value":7}'],
  ["another order of fields", '{"inode":1,"file":"a","value":"v"}'],
])("a line with %s counts as missing", async (_name, line) => {
  await using home = await temporaryHome();
  writeFileSync(join(home.path, "index.jsonl"), `${header}\n${line}\n`);
  const index = open(home);
  await index.load();

  expect(index.get("a")).toBeUndefined();
});

test("a changed file is read again, a deleted one is written again", async () => {
  await using home = await temporaryHome();
  const index = open(home);
  index.add(entry("a"));
  await index.save();
  const other = open(home);
  await other.load();
  other.add(entry("b"));
  await other.save();

  await index.load();
  expect(index.get("b")).toEqual(entry("b"));
  rmSync(join(home.path, "index.jsonl"));
  await index.load();
  index.add(entry("c"));
  await index.save();

  expect(text(home)).toContain('"file":"c"');
});

test("lines that another process appends are added to those that are known", async () => {
  await using home = await temporaryHome();
  const other = open(home);
  other.add(entry("a"));
  await other.save();
  const index = open(home);
  await index.load();
  const known = index.get("a");
  other.add(entry("b"));
  await other.save();
  await Promise.all([index.load(), index.load()]);

  expect(index.get("b")).toEqual(entry("b"));
  // The first line was not read again.
  expect(index.get("a")).toBe(known);
});

test("a file of outdated lines is rewritten", async () => {
  await using home = await temporaryHome();
  const index = open(home);
  for (let n = 0; n < 110; n++) {
    await index.load();
    index.add(entry("a", String(n)));
    await index.save();
  }

  expect(text(home).split("\n").length).toBeLessThan(110);
  const other = open(home);
  await other.load();
  expect(other.get("a")?.value).toBe("109");
});

test("a home that cannot be written is no error", async () => {
  const index = new FileIndex<Entry>({
    path: "/nonexistent/index.jsonl",
    header,
    isEntry: (_entry): _entry is Entry => true,
    worthwhile: 0,
  });
  await index.load();
  index.add(entry("a"));

  await expect(index.save()).resolves.toBeUndefined();
  expect(index.get("a")).toEqual(entry("a"));
});
