import { mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { withFileLock } from "../../src/lib/file-lock.js";
import { processStart } from "../../src/lib/process-table.js";

let dir: string;
let lock: string;
const patience = { sameHolderMs: 60, totalMs: 20_000 };

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "quire-lock-"));
  lock = join(dir, "a.lock");
});
afterEach(() => rm(dir, { recursive: true, force: true }));

test("functions under one lock never run concurrently", async () => {
  let running = 0;
  let most = 0;
  const work = async () => {
    most = Math.max(most, ++running);
    await readdir(dir);
    running--;
  };

  const patient = { sameHolderMs: 10_000, totalMs: 20_000 };
  await Promise.all(Array.from({ length: 20 }, () => withFileLock(lock, patient, work)));

  expect(most).toBe(1);
  expect(await readdir(dir)).toEqual([]);
});

test("the lock is gone also after a failure, which is passed on", async () => {
  const failing = withFileLock(lock, patience, () => {
    throw new Error("the work failed");
  });

  await expect(failing).rejects.toThrow("the work failed");
  expect(await readdir(dir)).toEqual([]);
});

test("waiting for a holder ends after its time limit, and the holder keeps the lock", async () => {
  await writeFile(lock, `${process.pid} ${processStart(process.pid)} ${hostname()} x`);

  await expect(withFileLock(lock, patience, () => 1)).rejects.toThrow(`delete ${lock}`);
  expect(await readdir(dir)).toEqual(["a.lock"]);
});

test.each([
  ["whose number another process has now", () => `${process.pid} 1 ${hostname()} x`, 0],
  ["that was killed before it wrote its name", () => "", 3],
  ["of another machine, long ago", () => `1 1 elsewhere.example x`, 61],
])("the lock of a process %s is taken over", async (_what, content, ageSeconds) => {
  await writeFile(lock, content());
  const then = Date.now() / 1000 - ageSeconds;
  await utimes(lock, then, then);

  expect(await withFileLock(lock, patience, () => "done")).toBe("done");
  expect(await readdir(dir)).toEqual([]);
});

test("the fresh lock of another machine is respected", async () => {
  await writeFile(lock, `1 1 elsewhere.example x`);

  await expect(withFileLock(lock, patience, () => 1)).rejects.toThrow("Another process");
});

test("a folder that cannot be written is an error at once", async () => {
  const nowhere = join(dir, "missing", "a.lock");

  await expect(withFileLock(nowhere, patience, () => 1)).rejects.toThrow("ENOENT");
});
