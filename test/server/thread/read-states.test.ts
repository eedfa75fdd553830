import { appendFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ReadStates } from "../../../src/server/thread/read-states.js";

let home = "";
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "read-states-"));
});
afterEach(() => rm(home, { recursive: true, force: true }));

const file = () => join(home, "quire-read-states.jsonl");

function open(changes: [string, unknown][] = []) {
  let count = 0;
  return new ReadStates({
    home,
    newId: () => `r${++count}`,
    onChange: (threadId, { firstUnread }) => changes.push([threadId, firstUnread]),
  });
}

test("the first unread turn stays until the thread is read", async () => {
  const changes: [string, unknown][] = [];
  const states = open(changes);

  states.turnEnded("a", "u1");
  states.turnEnded("a", "u2");
  const unread = await states.of(["a", "b"]);
  const read = await states.mark("a", true, "r2");
  states.turnEnded("a", "u3");
  const again = await states.of(["a"]);

  expect(unread).toEqual({ a: { firstUnread: { type: "turn", turnId: "u1" }, revision: "r2" } });
  expect(read).toEqual({ firstUnread: null, revision: "r3" });
  expect(again.a?.firstUnread).toEqual({ type: "turn", turnId: "u3" });
  expect(changes.map(([id]) => id)).toEqual(["a", "a", "a", "a"]);
  await states.close();
});

test("a thread can be marked as unread from its start", async () => {
  const states = open();
  states.turnEnded("a", "u1");

  const marked = await states.mark("a", false, "r1");

  expect(marked.firstUnread).toEqual({ type: "threadStart" });
  await states.close();
});

test("a stale revision is rejected with the current state", async () => {
  const states = open();
  states.turnEnded("a", "u1");

  await expect(states.mark("a", true, "old")).rejects.toMatchObject({
    message: "read state changed",
    data: { reason: "readStateConflict", readState: { revision: "r1" } },
  });
  await states.close();
});

test("a thread without a state cannot be marked", async () => {
  await expect(open().mark("a", true, "r1")).rejects.toMatchObject({ code: "not_found" });
});

test("states survive a restart, the last line of a thread counts", async () => {
  const first = open();
  first.turnEnded("a", "u1");
  await first.of(["a"]);
  await first.mark("a", true, "r1");
  await first.close();

  const second = open();

  expect(await second.of(["a"])).toEqual({ a: { firstUnread: null, revision: "r2" } });
  expect((await readFile(file(), "utf8")).trimEnd().split("\n").length).toBe(2);
});

test("lines of another process are read, malformed ones are skipped", async () => {
  await writeFile(file(), 'not json\n{"id":1}\n');
  const states = open();
  const before = await states.of(["a"]);

  await appendFile(file(), '{"id":"a","firstUnread":null,"revision":"x"}\n');

  expect(before).toEqual({});
  expect(await states.of(["a"])).toEqual({ a: { firstUnread: null, revision: "x" } });
});

test("a home that is not writable does not fail", async () => {
  await rm(home, { recursive: true });
  await writeFile(home, "");
  const states = open();

  states.turnEnded("a", "u1");

  expect(Object.keys(await states.of(["a"]))).toEqual(["a"]);
  await states.close();
});
