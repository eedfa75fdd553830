import { randomBytes } from "node:crypto";
import { readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { addToStore, measureStore } from "../../src/checkpoint/index.js";
import { TestWorkspace } from "./workspace-support.js";

const day = 24 * 60 * 60 * 1000;

/** Stores contents that were last used some days ago. */
function putOld(at: TestWorkspace, bytes: number, days: number): string {
  const hash = at.store.put(randomBytes(bytes));
  const time = new Date(Date.now() - days * day);
  utimesSync(join(at.storeFolder, "blobs", hash.slice(0, 2), hash), time, time);
  return hash;
}

test("contents over the quota are removed, those used least recently first", async () => {
  using at = new TestWorkspace();
  const [oldest, middle, newest] = [9, 6, 3].map((days) => putOld(at, 40_000, days));

  await addToStore(at.storeFolder, at.store.added, 100_000);

  expect([oldest, middle, newest].map((hash) => at.store.has(hash ?? ""))).toEqual([
    false,
    true,
    true,
  ]);
  expect((await measureStore(at.storeFolder)).bytes).toBeLessThan(100_000);
});

test("what the last turn has stored stays, even if it exceeds the quota alone", async () => {
  using at = new TestWorkspace();
  const older = putOld(at, 40_000, 3);
  const contents = randomBytes(60_000);
  writeFileSync(at.path("large"), contents);
  const begunMs = Date.now();
  const manifest = await at.turn(() => writeFileSync(at.path("large"), randomBytes(60_000)));

  await addToStore(at.storeFolder, at.store.added, 50_000, begunMs);
  await at.rewind(manifest);

  expect(at.store.has(older)).toBe(false);
  expect(readFileSync(at.path("large")).equals(contents)).toBe(true);
});

test("a turn that uses old contents again keeps them", async () => {
  using at = new TestWorkspace();
  writeFileSync(at.path("file"), "the same contents as ever\n");
  await at.turn(() => writeFileSync(at.path("file"), "new\n"));
  const hash = at.store.put(Buffer.from("the same contents as ever\n"));
  const time = new Date(Date.now() - 9 * day);
  utimesSync(join(at.storeFolder, "blobs", hash.slice(0, 2), hash), time, time);
  putOld(at, 40_000, 6);
  writeFileSync(at.path("file"), "the same contents as ever\n");
  const begunMs = Date.now();

  const manifest = await at.turn(() => writeFileSync(at.path("file"), "newer\n"));
  await addToStore(at.storeFolder, at.store.added, 1000, begunMs);
  await at.rewind(manifest);

  expect(readFileSync(at.path("file"), "utf8")).toBe("the same contents as ever\n");
});
