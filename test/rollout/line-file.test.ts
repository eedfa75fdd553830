import { mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { LineFile } from "../../src/rollout/line-file.js";
import { temporaryHome } from "./support.js";

const line = (text: string) => Buffer.from(`${text}\n`);
const ok = { failure: undefined, lost: 0 };

test("creates folders and file for its owner alone", async () => {
  await using home = await temporaryHome();
  const path = join(home.path, "a/b/lines");
  const file = new LineFile(path, { create: true });

  expect(file.write([line("1"), line("2")])).toEqual(ok);
  expect(file.close()).toEqual(ok);

  expect(readFileSync(path, "utf8")).toBe("1\n2\n");
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(join(home.path, "a/b")).mode & 0o777).toBe(0o700);
});

test.each([
  ["", "new\n"],
  ["old\n", "old\nnew\n"],
  ['{"torn', '{"torn\nnew\n'],
])("appends to a file with %j", async (before, after) => {
  await using home = await temporaryHome();
  const path = home.write("lines", [before]);
  const file = new LineFile(path, { create: false });

  file.write([line("new")]);
  file.close();

  expect(readFileSync(path, "utf8")).toBe(after);
});

test("queues lines while the file is missing, and writes them first once it exists", async () => {
  await using home = await temporaryHome();
  const path = join(home.path, "lines");
  const file = new LineFile(path, { create: false });

  const failed = file.write([line("1"), line("2")]);
  expect(failed.failure?.message).toContain("ENOENT");
  expect(file.queued).toBe(2);
  writeFileSync(path, "");

  expect(file.write([line("3")])).toEqual(ok);
  expect(file.queued).toBe(0);
  expect(file.close()).toEqual(ok);
  expect(readFileSync(path, "utf8")).toBe("1\n2\n3\n");
});

test("drops the newest lines when the queue is full", async () => {
  await using home = await temporaryHome();
  const path = join(home.path, "lines");
  const file = new LineFile(path, { create: false, maxQueuedBytes: 4 });

  expect(file.write([line("1"), line("2"), line("3")]).lost).toBe(1);
  expect(file.write([line("4")]).lost).toBe(2);
  writeFileSync(path, "");

  expect(file.write([line("5")])).toEqual({ failure: undefined, lost: 2 });
  file.close();
  expect(readFileSync(path, "utf8")).toBe("1\n2\n5\n");
});

test("close tries a last time and reports the failure", async () => {
  await using home = await temporaryHome();
  const path = join(home.path, "lines");
  const file = new LineFile(path, { create: false });
  file.write([line("1")]);

  expect(file.close().failure?.message).toContain("ENOENT");
});

test("close without queued lines does not open the file", async () => {
  await using home = await temporaryHome();

  expect(new LineFile(join(home.path, "none"), { create: true }).close()).toEqual(ok);
  expect(() => statSync(join(home.path, "none"))).toThrow("ENOENT");
});

test("neither follows a link nor writes to a folder", async () => {
  await using home = await temporaryHome();
  const target = home.write("target", [""]);
  const link = join(home.path, "link");
  symlinkSync(target, link);
  mkdirSync(join(home.path, "folder"));

  expect(new LineFile(link, { create: true }).write([line("x")]).failure).toBeDefined();
  const folder = new LineFile(join(home.path, "folder"), { create: true });
  expect(folder.write([line("x")]).failure).toBeDefined();
  expect(readFileSync(target, "utf8")).toBe("");
});

test("writes on to a file that was deleted meanwhile without failing", async () => {
  await using home = await temporaryHome();
  const path = join(home.path, "lines");
  const file = new LineFile(path, { create: true });
  file.write([line("1")]);
  rmSync(path);

  expect(file.write([line("2")])).toEqual(ok);
  expect(file.close()).toEqual(ok);
});
