import { mkdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import {
  type ListOptions,
  listThreads,
  parseCursor,
  ThreadIndex,
  type ThreadPage,
} from "../../src/rollout/index.js";
import { event, meta, type TestHome, temporaryHome } from "./support.js";

/** More threads than are looked at for every list. */
const many = 1100;

function uuid(n: number): string {
  return `00000000-0000-0000-0000-${String(n).padStart(12, "0")}`;
}

/** Writes a thread that changed at a second; a hundred a day. */
function writeThread(home: TestHome, n: number): string {
  const day = new Date(Date.UTC(2024, 0, 1 + Math.floor(n / 100))).toISOString().slice(0, 10);
  const name = `rollout-${day}T12-00-00-${uuid(n)}.jsonl`;
  const path = join(home.path, "sessions", ...day.split("-"), name);
  mkdirSync(dirname(path), { recursive: true });
  const lines = [meta({ id: uuid(n) }), event("user_message", { message: `message ${n}` })];
  writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  change(path, n);
  // Folders that have just changed are read each time.
  utimesSync(dirname(path), 1000, 1000);
  return path;
}

function change(path: string, second: number): void {
  utimesSync(path, 1_000_000 + second, 1_000_000 + second);
}

function startLists(home: TestHome) {
  const index = new ThreadIndex(home.path);
  const list = (options: ListOptions = {}) =>
    listThreads(home.path, { sortKey: "updated_at", ...options }, index);
  const next = (page: ThreadPage, options: ListOptions = {}) => {
    const cursor = parseCursor(page.nextCursor ?? "");
    return list({ ...options, ...(cursor && { cursor }) });
  };
  return { list, next };
}

function shown({ items }: ThreadPage): string[] {
  return items.map(({ preview }) => preview);
}

test("a thread that changes while a list is paged through is shown once, and then first", async () => {
  await using home = await temporaryHome();
  const paths = Array.from({ length: 9 }, (_, n) => writeThread(home, n));
  const { list, next } = startLists(home);

  const first = await list({ pageSize: 3 });
  change(paths[2] ?? "", 100);
  const second = await next(first, { pageSize: 3 });
  const third = await next(second, { pageSize: 3 });
  const again = await list({ pageSize: 1 });

  expect([first, second, third].flatMap(shown)).toEqual(
    [8, 7, 6, 5, 4, 3, 2, 1, 0].map((n) => `message ${n}`),
  );
  expect(shown(again)).toEqual(["message 2"]);
});

test("a list that is oldest first ends with what changed since its first page", async () => {
  await using home = await temporaryHome();
  const paths = Array.from({ length: 4 }, (_, n) => writeThread(home, n));
  const { list, next } = startLists(home);

  const first = await list({ pageSize: 2, direction: "asc" });
  change(paths[0] ?? "", 100);
  const rest = await next(first, { direction: "asc" });

  expect([shown(first), shown(rest)]).toEqual([
    ["message 0", "message 1"],
    ["message 2", "message 3", "message 0"],
  ]);
});

test("an old thread in a home of many is first soon after it changed, a live one at once", async () => {
  await using home = await temporaryHome();
  const paths = Array.from({ length: many }, (_, n) => writeThread(home, n));
  const { list } = startLists(home);
  const top = async (options: ListOptions = {}) => shown(await list({ pageSize: 1, ...options }));
  const before = await top();

  change(paths[0] ?? "", 9000);
  const live = await top({ live: new Set([uuid(0)]) });
  change(paths[many - 2] ?? "", 9001);
  const young = await top();
  change(paths[1] ?? "", 9002);

  expect([before, live, young]).toEqual([
    [`message ${many - 1}`],
    ["message 0"],
    [`message ${many - 2}`],
  ]);
  await expect.poll(() => top(), { timeout: 15_000 }).toEqual(["message 1"]);
});

test("files that were added or removed are noticed at once in a home of many", async () => {
  await using home = await temporaryHome();
  const paths = Array.from({ length: many }, (_, n) => writeThread(home, n));
  const { list, next } = startLists(home);
  const count = async () => {
    let pages = 0;
    for (let page = await list({ pageSize: 100 }); ; page = await next(page, { pageSize: 100 })) {
      pages += page.items.length;
      if (page.nextCursor === undefined) return pages;
    }
  };
  const before = await count();

  rmSync(paths[0] ?? "");
  const without = await count();
  const added = writeThread(home, many);
  utimesSync(dirname(added), 2000, 2000);

  expect([before, without, await count()]).toEqual([many, many - 1, many]);
});
