import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { appendHistory, historyPath } from "../../src/history/index.js";
import { bundleProgram } from "../support/bundle-program.js";

let home: string;
let path: string;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "quire-history-"));
  path = historyPath(home);
});
afterEach(() => rm(home, { recursive: true, force: true }));

test("an entry is one line of JSON that only its owner can read", async () => {
  await append("one\ntwo");

  expect(await readFile(path, "utf8")).toBe(
    '{"session_id":"c1","ts":1700000000,"text":"one\\ntwo"}\n',
  );
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await readdir(home)).toEqual(["history.jsonl"]);
});

test("a file that others could read is closed to them", async () => {
  await writeFile(path, "");
  await chmod(path, 0o644);

  await append("x");

  expect((await stat(path)).mode & 0o777).toBe(0o600);
});

test("without persistence nothing is written", async () => {
  await append("x", { persistence: "none" });

  expect(await readdir(home)).toEqual([]);
});

test("half a line left by another writer does not swallow the next entry", async () => {
  await writeFile(path, '{"session_id":"c0","ts":1,"te');

  await append("whole");

  expect((await lines()).at(-1)).toBe('{"session_id":"c1","ts":1700000000,"text":"whole"}');
  expect(await lines()).toHaveLength(2);
});

test("a linked history stays a link, also when lines are dropped", async () => {
  const target = join(home, "elsewhere.jsonl");
  await writeFile(target, "old\n");
  await symlink(target, path);

  await append("new", { persistence: "save-all", maxBytes: 50 });

  expect(await readFile(target, "utf8")).toBe('{"session_id":"c1","ts":1700000000,"text":"new"}\n');
  expect((await readdir(home)).sort()).toEqual(["elsewhere.jsonl", "history.jsonl"]);
});

test("a history that is no file is refused with a reason", async () => {
  await mkdir(path);

  await expect(append("x")).rejects.toThrow(/^Could not add to the message history .*: EISDIR/);
  expect(await readdir(home)).toEqual(["history.jsonl"]);
});

test("a device in the history's place is refused", async () => {
  await symlink("/dev/full", path);

  await expect(append("x")).rejects.toThrow("it is not a file");
});

test("a file that cannot grow further keeps whole lines, and the failure is reported", async () => {
  const program = await bundleProgram(join(import.meta.dirname, "writer.ts"), home);
  const script = 'trap "" XFSZ; ulimit -f 4; exec "$0" "$@"';

  const child = spawn("sh", ["-c", script, process.execPath, program, home, "a", "40"]);
  const [said] = await Promise.all([text(child.stderr), once(child, "exit")]);

  expect(said).toContain(`Could not add to the message history ${path}: no space is left for it`);
  const numbers = (await lines()).map((line) => Number.parseInt(JSON.parse(line).text, 10));
  expect(numbers).toEqual(Array.from(numbers, (_, index) => index));
  expect(await readFile(path, "utf8")).toMatch(/\n$/);
});

test("the newest entry stays even when it alone is over the limit", async () => {
  await append("small", { persistence: "save-all", maxBytes: 100 });
  await append("x".repeat(500), { persistence: "save-all", maxBytes: 100 });

  expect((await lines()).map((line) => JSON.parse(line).text)).toEqual(["x".repeat(500)]);
});

test("dropping leaves the newest whole lines, at most four fifths of the limit", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 1, maxLength: 12 }),
      fc.integer({ min: 1, max: 2000 }),
      async (sizes, maxBytes) => {
        await rm(path, { force: true });
        const texts = sizes.map((size, index) => `${index}${"y".repeat(size)}`);
        for (const message of texts.slice(0, -1)) await append(message);
        const before = await readFile(path).catch(() => Buffer.alloc(0));
        await append(texts.at(-1) ?? "", { persistence: "save-all", maxBytes });

        const kept = (await lines()).map((line) => JSON.parse(line).text);
        const { size } = await stat(path);
        expect(kept).toEqual(texts.slice(texts.length - kept.length));
        const whole = before.length + Buffer.byteLength(`${(await lines()).at(-1)}\n`);
        if (whole <= maxBytes) expect(kept).toEqual(texts);
        else if (kept.length > 1) expect(size).toBeLessThanOrEqual(Math.floor(maxBytes * 0.8));
      },
    ),
    { numRuns: 40 },
  );
});

test("several programs that write at once lose nothing and break no line", async () => {
  const program = await bundleProgram(join(import.meta.dirname, "writer.ts"), home);

  await Promise.all(names.map((name) => run(program, [home, name, "60"])));

  const entries = (await lines()).map((line) => JSON.parse(line));
  for (const name of names) {
    const mine = entries.filter((entry) => entry.session_id === name);
    expect(mine.map((entry) => Number.parseInt(entry.text, 10))).toEqual(
      Array.from({ length: 60 }, (_, index) => index),
    );
  }
  expect((await readdir(home)).sort()).toEqual(["history.jsonl", "writer.mjs"]);
});

test("several programs that write and drop at once keep whole lines within the limit", async () => {
  const program = await bundleProgram(join(import.meta.dirname, "writer.ts"), home);
  const maxBytes = 5_000;

  await Promise.all(names.map((name) => run(program, [home, name, "40", `${maxBytes}`])));

  expect((await stat(path)).size).toBeLessThanOrEqual(maxBytes);
  for (const line of await lines()) expect(JSON.parse(line).session_id).toMatch(/^[a-d]$/);
});

test("a lock left by a program that was killed is taken over", async () => {
  const child = spawn(process.execPath, ["-e", ""]);
  await once(child, "exit");
  await writeFile(`${path}.lock`, `${child.pid} 1 ${hostname()} x`);

  await append("x");

  expect(await readdir(home)).toEqual(["history.jsonl"]);
});

const names = ["a", "b", "c", "d"];

function append(message: string, settings: Parameters<typeof appendHistory>[0]["settings"] = all) {
  const entry = { conversation_id: "c1", text: message };
  return appendHistory({ home, settings, entry, clock: { now: () => 1_700_000_000_999 } });
}

const all = { persistence: "save-all" } as const;

async function lines(): Promise<string[]> {
  return (await readFile(path, "utf8")).replace(/\n$/, "").split("\n");
}

async function run(program: string, args: string[]): Promise<void> {
  const child = spawn(process.execPath, [program, ...args], { stdio: "inherit" });
  const [code] = await once(child, "exit");
  expect(code).toBe(0);
}
