import { mkdir, mkdtemp, realpath, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Watches } from "../../../src/server/methods/fs-watch.js";

let folder = "";
let watches: Watches;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "fs-watch-")));
  watches = new Watches();
});
afterEach(async () => {
  watches.close();
  await rm(folder, { recursive: true, force: true });
});

const ignore = () => undefined;

test("a watch returns the real path", async () => {
  await mkdir(join(folder, "real"));
  await symlink(join(folder, "real"), join(folder, "link"));

  expect(await watches.start("w", join(folder, "link"), ignore)).toBe(join(folder, "real"));
});

test("a replaced file is reported, others in its folder are not", async () => {
  const file = join(folder, "a.txt");
  await writeFile(file, "old");
  const changed: string[][] = [];
  await watches.start("w", file, (paths) => changed.push(paths));

  await writeFile(join(folder, "b.txt"), "new");
  await rename(join(folder, "b.txt"), file);

  await expect.poll(() => changed.flat(), { timeout: 5000 }).toContain(file);
  expect(new Set(changed.flat())).toEqual(new Set([file]));
});

test("a file that does not exist yet can be watched", async () => {
  const file = join(folder, "later.txt");
  const changed: string[][] = [];

  const path = await watches.start("w", file, (paths) => changed.push(paths));
  await writeFile(file, "now");

  expect(path).toBe(file);
  await expect.poll(() => changed.flat(), { timeout: 5000 }).toContain(file);
});

test("an id is used once until its watch is stopped", async () => {
  await watches.start("w", folder, ignore);

  await expect(watches.start("w", folder, ignore)).rejects.toThrow("watchId already exists: w");
  watches.stop("w");
  watches.stop("unknown");
  await expect(watches.start("w", folder, ignore)).resolves.toBe(folder);
});

test("a failed start does not reserve the id", async () => {
  const missing = join(folder, "missing", "file");

  await expect(watches.start("w", missing, ignore)).rejects.toMatchObject({ code: "ENOENT" });
  await expect(watches.start("w", folder, ignore)).resolves.toBe(folder);
});

test("the number of watches is limited", async () => {
  for (let count = 0; count < 64; count++) await watches.start(`w${count}`, folder, ignore);

  await expect(watches.start("one more", folder, ignore)).rejects.toMatchObject({
    code: "invalid_request",
  });
});
