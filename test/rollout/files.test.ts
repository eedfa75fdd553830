import { mkdirSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fileTime, rolloutDay } from "../../src/rollout/file-name.js";
import {
  filesOf,
  findRollout,
  rolloutFolder,
  walkRollouts,
  walkStoredFiles,
} from "../../src/rollout/files.js";
import { temporaryHome } from "./support.js";

const ids = ["1", "2", "3", "4"].map((n) => `00000000-0000-4000-8000-00000000000${n}`);
const [first = "", second = "", third = "", fourth = ""] = ids;

function name(time: string, id: string): string {
  return `rollout-${time}-${id}.jsonl`;
}

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

test("walks newest first across days, then by id, and skips other files", async () => {
  await using home = await temporaryHome();
  home.write(`sessions/2024/12/31/${name("2024-12-31T23-59-59", first)}`, [""]);
  home.write(`sessions/2025/01/02/${name("2025-01-02T08-00-00", second)}`, [""]);
  home.write(`sessions/2025/01/02/${name("2025-01-02T08-00-00", third)}`, [""]);
  home.write(`sessions/2025/01/10/${name("2025-01-10T00-00-00", fourth)}`, [""]);
  home.write("sessions/2025/01/10/notes.txt", [""]);
  home.write(`sessions/other/01/10/${name("2026-01-10T00-00-00", fourth)}`, [""]);
  mkdirSync(join(home.path, "sessions/2025/01/02", name("2025-01-02T09-00-00", first)));

  const found = await collect(walkRollouts(home.path, false));

  expect(found.map(({ id }) => id)).toEqual([fourth, third, second, first]);
});

test("archived rollouts are in one folder", async () => {
  await using home = await temporaryHome();
  home.write(`archived_sessions/${name("2025-01-02T08-00-00", first)}`, [""]);

  expect((await collect(walkRollouts(home.path, true))).map(({ id }) => id)).toEqual([first]);
  expect(await collect(walkRollouts(home.path, false))).toEqual([]);
  expect(rolloutFolder(home.path, true)).toBe(join(home.path, "archived_sessions"));
});

test("a folder that cannot be read is empty", async () => {
  expect(await filesOf("/nonexistent")).toEqual([]);
});

test("finds a rollout by id, in any spelling, active or archived", async () => {
  await using home = await temporaryHome();
  const active = home.write(`sessions/2025/01/02/${name("2025-01-02T08-00-00", first)}`, [""]);
  const archived = home.write(`archived_sessions/${name("2025-01-02T08-00-00", second)}`, [""]);

  expect(await findRollout(home.path, first.toUpperCase())).toBe(active);
  expect(await findRollout(home.path, second)).toBeUndefined();
  expect(await findRollout(home.path, second, { archived: true })).toBe(archived);
  expect(await findRollout(home.path, "not-an-id")).toBeUndefined();
  expect(await findRollout(home.path, fourth)).toBeUndefined();
});

test("a UUID v7 is found by its day, also one day off", async () => {
  await using home = await temporaryHome();
  const made = new Date(2025, 5, 15, 12);
  const stamp = made.getTime().toString(16).padStart(12, "0");
  const id = `${stamp.slice(0, 8)}-${stamp.slice(8)}-7000-8000-000000000001`;
  const nextDay = new Date(2025, 5, 16, 12);
  const file = home.write(`sessions/${rolloutDay(nextDay)}/${name(fileTime(nextDay), id)}`, [""]);

  expect(await findRollout(home.path, id)).toBe(file);
});

test("stored files come with size and time, active ones first", async () => {
  await using home = await temporaryHome();
  const active = home.write(`sessions/2025/01/02/${name("2025-01-02T08-00-00", first)}`, ["abc"]);
  const archived = home.write(`archived_sessions/${name("2025-01-03T08-00-00", second)}`, ["a"]);
  utimesSync(active, 100, 100);
  utimesSync(archived, 200, 200);

  expect(await collect(walkStoredFiles(home.path))).toEqual([
    { id: first, path: active, archived: false, bytes: 3, updatedAtMs: 100_000 },
    { id: second, path: archived, archived: true, bytes: 1, updatedAtMs: 200_000 },
  ]);
});
