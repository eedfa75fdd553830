import fc from "fast-check";
import { expect, test } from "vitest";
import { createDeferred, Queue, SharedLock } from "../../src/lib/async.js";

async function readAll<T>(queue: Queue<T>): Promise<T[]> {
  const values: T[] = [];
  for await (const value of queue) values.push(value);
  return values;
}

test("a queue yields values in order, including those pushed before it was closed", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer()), fc.array(fc.integer()), async (before, after) => {
      const queue = new Queue<number>();
      for (const value of before) queue.push(value);
      const read = readAll(queue);
      for (const value of after) queue.push(value);
      queue.close();
      queue.push(0);

      expect(await read).toEqual([...before, ...after]);
      expect(queue.size).toBe(0);
    }),
  );
});

test("a queue that is never empty still yields every value once", async () => {
  const queue = new Queue<number>();
  for (let value = 0; value < 10_000; value++) queue.push(value);
  const reader = queue[Symbol.asyncIterator]();
  const read: unknown[] = [];
  while (read.length < 5_000) read.push((await reader.next()).value);

  expect(read).toEqual(Array.from({ length: 5_000 }, (_, index) => index));
  expect(queue.size).toBe(5_000);
  queue.close();
  expect((await reader.next()).value).toBe(5_000);
});

test("a writer waits until fewer values than its limit are queued", async () => {
  const queue = new Queue<string>();
  await queue.whenBelow(1);
  queue.push("a");
  queue.push("b");
  const done: string[] = [];
  const waits = [1, 2].map((limit) => queue.whenBelow(limit).then(() => done.push(`< ${limit}`)));
  const reader = queue[Symbol.asyncIterator]();

  await reader.next();
  await waits[1];
  expect(done).toEqual(["< 2"]);
  await reader.next();
  await waits[0];
  expect(done).toEqual(["< 2", "< 1"]);
});

test("closing a queue releases its writers", async () => {
  const queue = new Queue<string>();
  queue.push("a");
  const wait = queue.whenBelow(1);

  queue.close();

  await wait;
  await queue.whenBelow(0);
});

test("a deferred promise settles as its functions are called, the first one wins", async () => {
  const good = createDeferred<number>();
  const bad = createDeferred<number>();

  good.resolve(1);
  good.resolve(2);
  bad.reject(new Error("no"));
  bad.resolve(3);

  expect(await good.promise).toBe(1);
  await expect(bad.promise).rejects.toThrow("no");
});

test("shared work overlaps, exclusive work runs alone and in order", async () => {
  const lock = new SharedLock();
  const log: string[] = [];
  const gates = new Map(["a", "b", "X", "c"].map((name) => [name, createDeferred<void>()]));
  const work = (name: string) => async () => {
    log.push(`${name} begins`);
    await gates.get(name)?.promise;
    log.push(`${name} ends`);
    return name;
  };
  const open = (name: string) => gates.get(name)?.resolve();

  const running = [
    lock.runShared(work("a")),
    lock.runShared(work("b")),
    lock.runAlone(work("X")),
    lock.runShared(work("c")),
  ];
  for (const name of ["c", "X", "b", "a"]) open(name);

  expect(await Promise.all(running)).toEqual(["a", "b", "X", "c"]);
  expect(log.slice(0, 2)).toEqual(["a begins", "b begins"]);
  expect(log.slice(2, 4).sort()).toEqual(["a ends", "b ends"]);
  expect(log.slice(4)).toEqual(["X begins", "X ends", "c begins", "c ends"]);
});

test("work that fails does not block the work behind it", async () => {
  const lock = new SharedLock();
  const failing = lock.runAlone(() => Promise.reject(new Error("failed")));
  const shared = lock.runShared(() => Promise.reject(new Error("failed too")));
  const after = lock.runAlone(async () => "done");

  await expect(failing).rejects.toThrow("failed");
  await expect(shared).rejects.toThrow("failed too");
  expect(await after).toBe("done");
});
