import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  findRollout,
  type ListOptions,
  listThreads,
  parseCursor,
  rolloutPath,
  setThreadName,
  ThreadIndex,
} from "../../src/rollout/index.js";
import { repeats } from "../support/counts.js";
import { event, item, line, message, meta, type TestHome, temporaryHome } from "./support.js";

const count = repeats(10_000, 2_500);
let crowd: TestHome;
beforeAll(async () => {
  crowd = await temporaryHome();
  const folders = new Set<string>();
  for (let n = 0; n < count; n++) {
    const name = fileName(dayOf(n), "12-00-00", n);
    const folder = join(crowd.path, name.slice(0, name.lastIndexOf("/")));
    if (!folders.has(folder)) mkdirSync(folder, { recursive: true });
    folders.add(folder);
    writeFileSync(join(crowd.path, name), thread(n, { model_provider: n % 100 ? "a" : "rare" }));
  }
});
afterAll(() => crowd[Symbol.asyncDispose]());

function uuid(n: number): string {
  return `00000000-0000-0000-0000-${String(n).padStart(12, "0")}`;
}

function dayOf(n: number): string {
  return new Date(Date.UTC(2024, 0, 1 + Math.floor(n / 100))).toISOString().slice(0, 10);
}

function fileName(day: string, time: string, n: number): string {
  return `sessions/${day.replaceAll("-", "/")}/rollout-${day}T${time}-${uuid(n)}.jsonl`;
}

function thread(n: number, more: object = {}): string {
  return [
    meta({ id: uuid(n), ...more }),
    item(message("user", "<environment_context>e</environment_context>")),
    item(message("user", `message ${n}`)),
    event("user_message", { message: `message ${n}` }),
  ]
    .map((one) => `${JSON.stringify(one)}\n`)
    .join("");
}

function indexLines(home: TestHome): number {
  return readFileSync(join(home.path, "quire-threads.jsonl"), "utf8").trim().split("\n").length;
}

async function listAll(home: string, options: ListOptions): Promise<string[]> {
  const previews: string[] = [];
  for (let token: string | undefined; ; ) {
    const cursor = token === undefined ? undefined : parseCursor(token);
    const page = await listThreads(home, { ...options, ...(cursor && { cursor }) });
    previews.push(...page.items.map(({ preview }) => preview));
    if (page.nextCursor === undefined) return previews;
    token = page.nextCursor;
  }
}

test("a page of thousands of conversations opens only the files it shows", async () => {
  const page = await listThreads(crowd.path, { pageSize: 25 });

  expect(page.items.map(({ preview }) => preview)).toEqual(
    Array.from({ length: 25 }, (_, n) => `message ${count - 1 - n}`),
  );
  expect(page).toMatchObject({
    scannedFiles: 26,
    nextCursor: `${dayOf(count - 25)}T12-00-00|${uuid(count - 25)}`,
  });
  expect(existsSync(join(crowd.path, "quire-threads.jsonl"))).toBe(false);
});

test("a filter looks at all of them once; then the index knows them", async () => {
  const wanted = Array.from({ length: count / 100 }, (_, n) => `message ${count - 100 * (n + 1)}`);
  const options = { providers: ["rare"], pageSize: 60 };

  const first = await listAll(crowd.path, options);
  const lines = indexLines(crowd);
  const second = await listAll(crowd.path, options);

  expect([first, second]).toEqual([wanted, wanted]);
  expect(lines).toBe(1 + count);
});

test("an index that is spoiled or missing is made again", async () => {
  await using home = await temporaryHome();
  for (let n = 0; n < 250; n++) home.write(fileName("2025-01-01", "10-00-00", n), [thread(n)]);
  const wanted = await listAll(home.path, { pageSize: 250 });
  const index = join(home.path, "quire-threads.jsonl");
  const sound = readFileSync(index, "utf8");

  const lists = [
    "spoiled\n{}\n",
    `${sound.slice(0, 200)}\n[1]\n`,
    sound.slice(0, 400),
    undefined,
  ].map((text) => async () => {
    if (text === undefined) rmSync(index);
    else writeFileSync(index, text);
    const listed = await listAll(home.path, { pageSize: 250 });
    return [listed, indexLines(home) >= 251];
  });

  for (const list of lists) expect(await list()).toEqual([wanted, true]);
});

test("how many files a call opens is bounded, and its cursor leads on", async () => {
  await using home = await temporaryHome();
  for (let n = 0; n < 200; n++) {
    const model_provider = n % 100 ? "common" : "rare";
    home.write(fileName("2025-01-01", "10-00-00", n), [thread(n, { model_provider })]);
  }
  const options = { providers: ["rare"], maxOpened: 10 };

  const [first, all] = [await listThreads(home.path, options), await listAll(home.path, options)];

  expect([first.items, first.nextCursor === undefined]).toEqual([[], false]);
  expect(all).toEqual(["message 100", "message 0"]);
});

test("pages of any size show every conversation once, in one order", async () => {
  await using home = await temporaryHome();
  const times = [
    "10-00-00",
    "10-00-00",
    "11-30-00",
    "23-59-59",
    "10-00-00",
    "00-00-00",
    "11-30-00",
  ];
  const names = times.map((time, n) => fileName(`2025-0${1 + (n % 3)}-01`, time, n));
  for (const [n, name] of names.entries()) home.write(name, [thread(n)]);
  const order = names
    .map((name, n) => ({ key: name.slice(name.indexOf("rollout")), n }))
    .sort((a, b) => (a.key < b.key ? 1 : -1))
    .map(({ n }) => `message ${n}`);

  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 9 }), fc.boolean(), async (pageSize, old) => {
      const form = old ? "2025" : "2026";
      expect(await listAll(home.path, { pageSize, form })).toEqual(order);
    }),
  );
});

test("files that are no conversations yet, or never were, are not listed", async () => {
  await using home = await temporaryHome();
  const day = "sessions/2025/01/01";
  const name = (n: number) => `${day}/rollout-2025-01-01T10-00-00-${uuid(n)}.jsonl`;
  home.write(name(1), [meta({ id: uuid(1) })]);
  home.write(name(2), [item(message("user", "no meta"))]);
  home.write(name(3), ["garbage"]);
  home.write(`${day}/other-2025-01-01T10-00-00-${uuid(4)}.jsonl`, [thread(4)]);
  home.write(`${day}/rollout-2025-13-01T10-00-00-${uuid(5)}.jsonl`, [thread(5)]);
  mkdirSync(join(home.path, name(6)));
  home.write(name(7), [
    meta({ id: uuid(7) }),
    ...Array.from({ length: 30 }, () => item(message("developer", "rules"))),
    event("user_message", { message: "far behind" }),
  ]);
  home.write(name(8), [meta({ id: uuid(8) }), item(message("user", "no event"))]);

  const [now, before] = [
    await listThreads(home.path),
    await listThreads(home.path, { form: "2025" }),
  ];

  expect(now.items.map(({ preview }) => preview)).toEqual(["no event", "far behind"]);
  expect(before.items).toEqual([]);
});

test("a list has the preview and the name of each conversation", async () => {
  await using home = await temporaryHome();
  const name = `sessions/2025/01/02/rollout-2025-01-02T10-00-00-${uuid(1)}.jsonl`;
  const git = { commit_hash: "abc", branch: "main" };
  const path = home.write(name, [
    meta({ id: uuid(1), source: "cli", model_provider: "p", git, forked_from_id: uuid(9) }),
    item(message("user", "# Context\n\n## My request for Codex:\nfix it ")),
    event("user_message", { message: "x" }),
  ]);
  utimesSync(path, 1000, 2000);
  await setThreadName(home.path, uuid(1), { name: "Fix", now: 0 });

  const { items } = await listThreads(home.path);

  expect(items).toEqual([
    {
      id: uuid(1),
      path,
      timestamp: "2025-01-01T00:00:00.000Z",
      preview: "fix it",
      cwd: "/w",
      cliVersion: "0.104.0",
      originator: "test",
      source: "cli",
      provider: "p",
      git,
      forkedFromId: uuid(9),
      hasUserEvent: true,
      updatedAtMs: 2_000_000,
      name: "Fix",
    },
  ]);
});

test("filters by client, provider and folder, and the order by change, go together", async () => {
  await using home = await temporaryHome();
  const make = (n: number, more: object, changed: number) => {
    const path = home.write(fileName("2025-01-01", "10-00-00", n), [thread(n, more)]);
    utimesSync(path, changed, changed);
  };
  make(1, { source: "cli", model_provider: "a" }, 3000);
  make(2, { source: "exec", model_provider: "a" }, 1000);
  make(3, { source: "cli", cwd: "/other" }, 2000);
  const list = async (options: ListOptions) =>
    (await listThreads(home.path, options)).items.map(({ preview }) => preview);

  expect(await list({ sources: ["cli"] })).toEqual(["message 3", "message 1"]);
  expect(await list({ providers: ["a"] })).toEqual(["message 2", "message 1"]);
  expect(await list({ providers: ["b"], defaultProvider: "b" })).toEqual(["message 3"]);
  expect(await list({ cwd: "/other" })).toEqual(["message 3"]);
  const byChange = { sortKey: "updated_at", pageSize: 1 } as const;
  expect(await listAll(home.path, byChange)).toEqual(["message 1", "message 3", "message 2"]);
});

test("another file under a name that the index knows is looked at again", async () => {
  await using home = await temporaryHome();
  const name = fileName("2025-01-01", "10-00-00", 1);
  home.write(name, [thread(1)]);
  const index = new ThreadIndex(home.path);
  await listThreads(home.path, {}, index);

  const other = home.write("other.jsonl", [thread(2)]);
  renameSync(other, join(home.path, name));
  const { items } = await listThreads(home.path, {}, index);

  expect(items.map(({ preview }) => preview)).toEqual(["message 2"]);
});

test("files added to or removed from a cached folder are noticed", async () => {
  await using home = await temporaryHome();
  const first = home.write(fileName("2025-01-01", "10-00-00", 1), [thread(1)]);
  // Recently changed folders are not cached.
  utimesSync(dirname(first), 1_000, 1_000);
  const index = new ThreadIndex(home.path);
  const list = async () =>
    (await listThreads(home.path, {}, index)).items.map(({ preview }) => preview);

  const before = await list();
  home.write(fileName("2025-01-01", "11-00-00", 2), [thread(2)]);
  const both = await list();
  rmSync(first);
  const after = await list();

  expect([before, both, after]).toEqual([["message 1"], ["message 2", "message 1"], ["message 2"]]);
});

test("a conversation is found by its id, whatever day it began", async () => {
  await using home = await temporaryHome();
  const began = new Date(Date.UTC(2025, 5, 1, 12));
  const stamp = began.getTime().toString(16).padStart(12, "0");
  const sorted = `${stamp.slice(0, 8)}-${stamp.slice(8)}-7000-8000-000000000001`;
  const path = rolloutPath(home.path, began, sorted);
  home.write(path.slice(home.path.length + 1), [line("session_meta", {})]);
  const old = home.write(fileName("2020-01-01", "10-00-00", 5), [thread(5)]);
  home.write(`archived_sessions/rollout-2020-01-01T10-00-00-${uuid(6)}.jsonl`, [thread(6)]);

  expect(await findRollout(home.path, sorted)).toBe(path);
  expect(await findRollout(home.path, uuid(5).toUpperCase())).toBe(old);
  expect(await findRollout(home.path, uuid(6))).toBeUndefined();
  expect(await findRollout(home.path, uuid(6), { archived: true })).toBeDefined();
  expect(await findRollout(home.path, "not-a-uuid")).toBeUndefined();
  expect(await findRollout(home.path, uuid(7))).toBeUndefined();
});
