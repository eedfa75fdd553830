import { getEventListeners } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import {
  type Answer,
  type At,
  announcementEndsMs,
  type Broker,
  type DirectoryEntry,
  FencedError,
  type LeaseHolder,
  type LeaseRecord,
  type LogBatch,
  type SentSubmission,
} from "../../src/fleet/broker.js";
import { randomUuid } from "../../src/lib/ids.js";

/** A store of one kind, for the contract. */
export interface ContractStore {
  /** Connects a client, as another process would. */
  connect(): Promise<Broker>;
  close(): Promise<void>;
  /** Advances the clock of the store, if it has one. */
  advance?(ms: number): void;
}

/** Checks that a broker does what `src/fleet/broker.ts` says; each implementation runs it. */
export function brokerContract(name: string, create: () => Promise<ContractStore>): void {
  describe(`a broker of kind ${name}`, () => {
    let store: ContractStore;
    let one: Broker;
    let two: Broker;
    const end = new AbortController();
    const { signal } = end;

    beforeAll(async () => {
      store = await create();
      [one, two] = await Promise.all([store.connect(), store.connect()]);
    });

    afterAll(async () => {
      end.abort();
      await Promise.all([one?.close(), two?.close()]);
      await store?.close();
    });

    describe("log", () => {
      test("returns to every client what was appended, in order", async () => {
        const threadId = randomUuid();
        expect(await one.log.head(threadId)).toBe(0);
        expect(await all(one.log.read(threadId, 0))).toEqual([]);

        const first = await one.log.append(threadId, batch(1, "a"), 0);
        const second = await one.log.append(threadId, batch(1, "b"), first);

        expect(second).toBeGreaterThan(first);
        expect(await two.log.head(threadId)).toBe(second);
        expect(await all(two.log.read(threadId, 0))).toEqual([
          { ...batch(1, "a"), position: first },
          { ...batch(1, "b"), position: second },
        ]);
        expect(await all(two.log.read(threadId, first))).toEqual([
          { ...batch(1, "b"), position: second },
        ]);
        expect(await all(two.log.read(threadId, second - 1))).toHaveLength(1);
        expect(await all(two.log.read(threadId, second))).toEqual([]);
      });

      test("refuses an append at another position than the last", async () => {
        const threadId = randomUuid();
        const first = await one.log.append(threadId, batch(1, "a"), 0);

        await expect(two.log.append(threadId, batch(2, "b"), 0)).rejects.toThrow(FencedError);
        await expect(two.log.append(threadId, batch(2, "b"), first + 5)).rejects.toThrow(
          FencedError,
        );

        expect(await one.log.head(threadId)).toBe(first);
      });

      test("lets exactly one of two owners win each race", async () => {
        const threadId = randomUuid();
        let head = 0;
        for (let round = 0; round < 10; round++) {
          const results = await Promise.allSettled([
            one.log.append(threadId, batch(2 * round + 1, "one"), head),
            two.log.append(threadId, batch(2 * round + 2, "two"), head),
          ]);
          const won = results.flatMap((result) =>
            result.status === "fulfilled" ? [result.value] : [],
          );
          expect(won).toHaveLength(1);
          head = won[0] ?? 0;
        }

        expect(await all(one.log.read(threadId, 0))).toHaveLength(10);
      });

      test("stores a repeated append once", async () => {
        const threadId = randomUuid();
        const position = await one.log.append(threadId, batch(1, "a"), 0);

        expect(await one.log.append(threadId, batch(1, "a"), 0)).toBe(position);

        expect(await all(one.log.read(threadId, 0))).toHaveLength(1);
      });

      test("does not disturb appends to other threads", async () => {
        const threads = Array.from({ length: 20 }, randomUuid);

        await Promise.all(
          threads.map(async (threadId) => {
            let head = 0;
            for (let n = 0; n < 5; n++) {
              head = await one.log.append(threadId, batch(1, `${threadId} ${n}`), head);
            }
          }),
        );

        for (const threadId of threads) {
          const read = await all(two.log.read(threadId, 0));
          expect(read.map(textOf)).toEqual([0, 1, 2, 3, 4].map((n) => `${threadId} ${n}`));
        }
      });

      test("is followed from a position on, with what is appended later", async () => {
        const threadId = randomUuid();
        const first = await one.log.append(threadId, batch(1, "a"), 0);
        const second = await one.log.append(threadId, batch(1, "b"), first);
        const stop = new AbortController();
        const read: string[] = [];
        const followed = (async () => {
          for await (const at of two.log.follow(threadId, first, stop.signal)) {
            read.push(textOf(at));
            if (read.length === 3) stop.abort();
          }
        })();
        await vi.waitFor(() => expect(read).toEqual(["b"]));

        const third = await one.log.append(threadId, batch(2, "c"), second);
        await one.log.append(threadId, batch(2, "d"), third);

        await followed;
        expect(read).toEqual(["b", "c", "d"]);
      });

      test("reads a long log in order", async () => {
        const threadId = randomUuid();
        let head = 0;
        for (let n = 0; n < 150; n++) {
          head = await one.log.append(threadId, batch(1, String(n)), head);
        }

        const read = await all(two.log.read(threadId, 0));

        expect(read.map(textOf)).toEqual(Array.from({ length: 150 }, (_, n) => String(n)));
      });

      test("takes a batch of 3 MB", async () => {
        const threadId = randomUuid();
        const text = "x".repeat(3_000_000);

        const position = await one.log.append(threadId, batch(1, text), 0);

        expect(await all(two.log.read(threadId, 0))).toEqual([{ ...batch(1, text), position }]);
      });
    });

    describe("submissions", () => {
      test("are stored once for each id and thread", async () => {
        const [threadId, other] = [randomUuid(), randomUuid()];
        expect(await one.submissions.head(threadId)).toBe(0);

        const first = await one.submissions.put(threadId, submission("1", "hi"));
        const again = await two.submissions.put(threadId, submission("1", "hi"));
        const elsewhere = await two.submissions.put(other, submission("1", "hi"));

        expect(first.isNew).toBe(true);
        expect(again).toEqual({ position: first.position, isNew: false });
        expect(elsewhere.isNew).toBe(true);
        expect(await two.submissions.head(threadId)).toBe(first.position);
      });

      test("are stored once if two clients send one at the same time", async () => {
        const threadId = randomUuid();

        const results = await Promise.all([
          ...[1, 2, 3].map((n) => one.submissions.put(threadId, submission(`s${n}`, "hi"))),
          ...[1, 2, 3].map((n) => two.submissions.put(threadId, submission(`s${n}`, "hi"))),
        ]);

        expect(results.filter(({ isNew }) => isNew)).toHaveLength(3);
        expect(new Set(results.map(({ position }) => position)).size).toBe(3);
      });

      test("are followed from any position, with their headers", async () => {
        const threadId = randomUuid();
        const headers = { traceparent: "00-1-2-01" };
        const first = await one.submissions.put(threadId, { ...submission("1", "a"), headers });
        const stop = new AbortController();
        const read: At<SentSubmission>[] = [];
        const followed = (async () => {
          for await (const at of two.submissions.follow(threadId, 0, stop.signal)) {
            read.push(at);
            if (read.length === 2) stop.abort();
          }
        })();
        await vi.waitFor(() => expect(read).toHaveLength(1));

        const second = await one.submissions.put(threadId, submission("2", "b"));

        await followed;
        expect(read).toEqual([
          { ...submission("1", "a"), headers, position: first.position },
          { ...submission("2", "b"), position: second.position },
        ]);
      });

      test("may have 3 MB", async () => {
        const threadId = randomUuid();
        const large = submission("1", "y".repeat(3_000_000));
        await one.submissions.put(threadId, large);

        const [read] = await take(two.submissions.follow(threadId, 0, signal), 1);

        expect(read).toMatchObject(large);
      });
    });

    describe("wakes", () => {
      test("become one for each thread until a worker is done with it", async () => {
        const [pool, threadId] = [randomUuid(), randomUuid()];
        for (let n = 0; n < 5; n++) await one.wakes.wake(pool, threadId);

        const taken = await two.wakes.next(pool, signal);
        expect(taken?.threadId).toBe(threadId);
        await taken?.done();
        const other = randomUuid();
        await one.wakes.wake(pool, other);

        const next = await one.wakes.next(pool, signal);
        expect(next?.threadId).toBe(other);
        await next?.done();
      });

      test("go to one worker each, and stay in their pool", async () => {
        const [pool, elsewhere] = [randomUuid(), randomUuid()];
        const threads = Array.from({ length: 10 }, randomUuid).sort();
        const woken: string[] = [];
        const stop = new AbortController();
        const work = [one, two].map(async (broker) => {
          for (;;) {
            const wakeUp = await broker.wakes.next(pool, stop.signal);
            if (wakeUp === undefined) return;
            woken.push(wakeUp.threadId);
            await wakeUp.done();
          }
        });

        await one.wakes.wake(elsewhere, randomUuid());
        for (const threadId of threads) await one.wakes.wake(pool, threadId);

        await vi.waitFor(() => expect([...woken].sort()).toEqual(threads), 10_000);
        stop.abort();
        await Promise.all(work);
        expect(woken).toHaveLength(10);
      });

      test("come again after they were given back", async () => {
        const [pool, threadId] = [randomUuid(), randomUuid()];
        await one.wakes.wake(pool, threadId);
        const first = await one.wakes.next(pool, signal);

        await first?.later(50);
        const again = await two.wakes.next(pool, signal);

        expect(again?.threadId).toBe(threadId);
        await again?.done();
      });

      test("are counted in their pool until a worker takes them", async () => {
        const [pool, threadId] = [randomUuid(), randomUuid()];
        await one.wakes.wake(randomUuid(), threadId);
        expect(await one.wakes.pending(pool)).toBe(0);
        for (const id of [threadId, threadId, randomUuid()]) await one.wakes.wake(pool, id);
        expect(await two.wakes.pending(pool)).toBe(2);

        const taken = await one.wakes.next(pool, signal);
        expect(await two.wakes.pending(pool)).toBe(1);
        await taken?.done();
        expect(await two.wakes.pending(pool)).toBe(1);
      });

      test("leave nothing behind at a signal that lives on", async () => {
        const [pool, threadId] = [randomUuid(), randomUuid()];
        const stop = new AbortController();
        for (let n = 0; n < 12; n++) {
          await one.wakes.wake(pool, threadId);
          await (await one.wakes.next(pool, stop.signal))?.done();
          await one.submissions.put(threadId, { id: String(n), op: { type: "interrupt" } });
          for await (const _ of one.submissions.follow(threadId, 0, stop.signal)) break;
        }

        expect(getEventListeners(stop.signal, "abort")).toEqual([]);
        expect(dependantsOf(stop.signal)).toBe(0);
      });

      test("that come while a worker has one stay after it is done", async () => {
        const [pool, threadId] = [randomUuid(), randomUuid()];
        await one.wakes.wake(pool, threadId);
        const first = await one.wakes.next(pool, signal);

        await two.wakes.wake(pool, threadId);
        await first?.done();
        const second = await two.wakes.next(pool, signal);

        expect(second?.threadId).toBe(threadId);
        await second?.done();
      });

      test("end with undefined when the signal aborts", async () => {
        const stop = new AbortController();
        const next = one.wakes.next(randomUuid(), stop.signal);

        stop.abort();

        expect(await next).toBeUndefined();
      });
    });

    describe("leases", () => {
      test("are held by one worker, and have a higher epoch each time", async () => {
        const threadId = randomUuid();
        expect(await one.leases.read(threadId)).toBeUndefined();

        const first = await one.leases.take(threadId, holder("a"));
        expect(await two.leases.take(threadId, holder("b"))).toBeUndefined();
        expect(await two.leases.read(threadId)).toEqual({
          ...holder("a"),
          threadId,
          epoch: first?.epoch,
          state: "held",
        });
        await first?.release();
        const second = await two.leases.take(threadId, holder("b"));

        expect(second?.epoch).toBeGreaterThan(first?.epoch ?? 0);
        await second?.release();
        expect(await one.leases.read(threadId)).toBeUndefined();
      });

      test("stay in the state that was set, also if another renewal is on its way", async () => {
        const threadId = randomUuid();
        const lease = await one.leases.take(threadId, holder("a"));

        await Promise.all([lease?.renew("closing"), lease?.renew()]);

        expect((await two.leases.read(threadId))?.state).toBe("closing");
        await lease?.release();
      });

      test("keep their epoch when renewed, and show their state", async () => {
        const threadId = randomUuid();
        const lease = await one.leases.take(threadId, holder("a"));

        expect(await lease?.renew()).toBe(true);
        expect(await lease?.renew("closing")).toBe(true);

        const stored = await two.leases.read(threadId);
        expect(stored).toMatchObject({ epoch: lease?.epoch, state: "closing" });
        const listed = await two.leases.list();
        expect(listed.filter((record) => record.threadId === threadId)).toEqual([stored]);
        await lease?.release();
      });

      test("are lost to another worker if they are not renewed, and never come back", async () => {
        const pool = randomUuid();
        const [threadId, kept] = [randomUuid(), randomUuid()];
        const lost: LeaseRecord[] = [];
        const stop = new AbortController();
        const short = { pool, durationMs: 300 };
        const first = await one.leases.take(threadId, { worker: "a", ...short });
        const renewed = await one.leases.take(kept, { worker: "a", ...short });
        const renewals = setInterval(() => void renewed?.renew(), 60);
        await two.leases.watchLost(pool, (record) => lost.push(record), stop.signal);
        expect(await two.leases.take(threadId, { worker: "b", ...short })).toBeUndefined();

        await vi.waitFor(() => expect(lost).toHaveLength(1), 5_000);
        const second = await two.leases.take(threadId, { worker: "b", ...short });

        expect(lost[0]).toMatchObject({ threadId, worker: "a", epoch: first?.epoch });
        expect(second?.epoch).toBeGreaterThan(first?.epoch ?? 0);
        expect(await first?.renew()).toBe(false);
        await first?.release();
        expect(await two.leases.read(threadId)).toMatchObject({ worker: "b" });
        clearInterval(renewals);
        stop.abort();
        await Promise.all([second?.release(), renewed?.release()]);
      });

      test("are lost to the process that has taken them and never renewed them", async () => {
        const [pool, threadId] = [randomUuid(), randomUuid()];
        const lost: LeaseRecord[] = [];
        const stop = new AbortController();
        const short = { worker: "a", pool, durationMs: 300 };
        await one.leases.watchLost(pool, (record) => lost.push(record), stop.signal);
        const first = await one.leases.take(threadId, short);

        expect(one.leases.isLost(threadId)).toBe(false);
        await vi.waitFor(() => expect(lost).toHaveLength(1), 5_000);
        expect(one.leases.isLost(threadId)).toBe(true);
        const second = await one.leases.take(threadId, short);

        expect(one.leases.isLost(threadId)).toBe(false);
        expect(second?.epoch).toBeGreaterThan(first?.epoch ?? 0);
        stop.abort();
        await second?.release();
      });

      test("are taken by one of several workers that see the loss", async () => {
        const [pool, threadId] = [randomUuid(), randomUuid()];
        const short = { pool, durationMs: 100 };
        await one.leases.take(threadId, { worker: "a", ...short });
        await Promise.all([one, two].map((broker) => broker.leases.take(threadId, holder("b"))));
        await delay(150); // the span under test

        const taken = await Promise.all([
          one.leases.take(threadId, holder("b")),
          two.leases.take(threadId, holder("c")),
        ]);

        expect(taken.filter((lease) => lease !== undefined)).toHaveLength(1);
        await Promise.all(taken.map((lease) => lease?.release()));
      });
    });

    describe("live", () => {
      test("brings events to the subscribers of their thread, in order", async () => {
        const threadId = randomUuid();
        const read: string[] = [];
        const unsubscribe = two.live.subscribe(threadId, ({ id }) => read.push(id));
        await vi.waitFor(() => {
          one.live.publish(threadId, event("hello"));
          expect(read.length).toBeGreaterThan(0);
        });
        read.length = 0;

        one.live.publish(randomUuid(), event("other"));
        for (let n = 0; n < 100; n++) one.live.publish(threadId, event(String(n)));

        const expected = Array.from({ length: 100 }, (_, n) => String(n));
        await vi.waitFor(() => expect(read.filter((id) => id !== "hello")).toEqual(expected));
        unsubscribe();
        one.live.publish(threadId, event("late"));
        await one.log.head(threadId);
        expect(read).not.toContain("late");
      });
    });

    describe("answers", () => {
      test("count once for each question, wherever they are given", async () => {
        const threadId = randomUuid();

        const won = await Promise.all([
          one.answers.answer(threadId, answer("q 1", "a")),
          two.answers.answer(threadId, answer("q 1", "b")),
          two.answers.answer(threadId, answer("q 1", "c")),
        ]);

        expect(won.filter((isFirst) => isFirst)).toHaveLength(1);
        expect(await one.answers.answer(threadId, answer("q 2", "a"))).toBe(true);
        expect(await one.answers.answer(randomUuid(), answer("q 1", "a"))).toBe(true);
      });

      test("are given to followers, stored ones first", async () => {
        const threadId = randomUuid();
        await one.answers.answer(threadId, answer("q 1", "a"));
        const read: Answer[] = [];
        const stop = new AbortController();

        await two.answers.follow(threadId, (given) => read.push(given), stop.signal);
        expect(read).toEqual([answer("q 1", "a")]);
        await one.answers.answer(threadId, answer("q 2", "b"));

        await vi.waitFor(() => expect(read).toEqual([answer("q 1", "a"), answer("q 2", "b")]));
        stop.abort();
        await one.answers.answer(threadId, answer("q 3", "c"));
        await two.answers.answer(threadId, answer("q 3", "c"));
        expect(read).toHaveLength(2);
      });
    });

    describe("directory", () => {
      test("has the last entry of each thread", async () => {
        const [threadId, other] = [randomUuid(), randomUuid()];
        expect(await one.directory.get(threadId)).toBeUndefined();
        await one.directory.put(entry(threadId, "running"));
        await one.directory.put(entry(other, "idle"));

        await one.directory.put(entry(threadId, "waiting"));

        expect(await two.directory.get(threadId)).toEqual(entry(threadId, "waiting"));
        const listed = await two.directory.list();
        expect(listed.filter((row) => [threadId, other].includes(row.threadId))).toHaveLength(2);
        expect(listed).toContainEqual(entry(other, "idle"));
      });

      test("lists what has changed since the last list, and nothing that was forgotten", async () => {
        const ids = [randomUuid(), randomUuid(), randomUuid()] as const;
        const listed = async () => {
          const rows = (await two.directory.list()).filter((row) => ids.includes(row.threadId));
          return new Map(rows.map(({ threadId, state }) => [threadId, state]));
        };
        const [first, second, third] = ids;
        await one.directory.put(entry(first, "running"));
        await one.directory.put(entry(second, "running"));
        const before = await listed();

        await one.directory.put(entry(first, "idle"));
        await one.forget(second);
        await one.directory.put(entry(third, "waiting"));

        expect(before).toEqual(
          new Map([
            [first, "running"],
            [second, "running"],
          ]),
        );
        expect(await listed()).toEqual(
          new Map([
            [first, "idle"],
            [third, "waiting"],
          ]),
        );
        await one.forget(third);
        expect(await listed()).toEqual(new Map([[first, "idle"]]));
      });
    });

    describe("workers", () => {
      test("are listed from their announcement until they leave", async () => {
        const name = randomUuid();
        await one.workers.announce({ name, pool: "p", threads: 1, draining: false });
        await one.workers.announce({ name, pool: "p", threads: 2, draining: true });

        const named = async () => (await two.workers.list()).filter((row) => row.name === name);
        expect(await named()).toEqual([{ name, pool: "p", threads: 2, draining: true }]);
        await one.workers.leave(name);

        expect(await named()).toEqual([]);
      });

      test("are no longer listed if they do not repeat their announcement", async (context) => {
        if (store.advance === undefined) return context.skip();
        const name = randomUuid();
        await one.workers.announce({ name, pool: "p", threads: 1, draining: false });

        store.advance(announcementEndsMs + 1);

        expect((await two.workers.list()).map((row) => row.name)).not.toContain(name);
      });

      test("acknowledge that they are to drain", async () => {
        const name = randomUuid();
        let asked = 0;
        const stop = new AbortController();
        await one.workers.onDrain(name, () => asked++, stop.signal);

        await two.workers.drain(name);

        expect(asked).toBe(1);
        stop.abort();
      });

      test("that are not there cannot be drained", async () => {
        const name = randomUuid();
        await expect(one.workers.drain(name)).rejects.toThrow(`No worker is named "${name}"`);
      });
    });

    describe("marks", () => {
      test("are seen by every client, and end", async () => {
        const threadId = randomUuid();
        const seen: unknown[] = [];
        await one.marks.put({ threadId, kind: "archived", atMs: 1 });
        await two.marks.watch((id, mark) => {
          if (id === threadId) seen.push(mark?.kind);
        }, signal);
        expect(seen).toEqual(["archived"]);
        expect(await two.marks.list()).toContainEqual({ threadId, kind: "archived", atMs: 1 });

        await one.marks.put({ threadId, kind: "deleted", atMs: 2 });
        await vi.waitFor(() => expect(seen).toEqual(["archived", "deleted"]));
        await one.marks.remove(threadId);

        await vi.waitFor(() => expect(seen).toEqual(["archived", "deleted", undefined]));
        expect((await one.marks.list()).map((mark) => mark.threadId)).not.toContain(threadId);
      });
    });

    test("forgets a thread, and no other one", async () => {
      const [threadId, other, pool] = [randomUuid(), randomUuid(), randomUuid()];
      const large = "x".repeat(300_000);
      for (const id of [threadId, other]) {
        await one.log.append(id, batch(1, large), 0);
        await one.submissions.put(id, submission("s", large));
        await one.answers.answer(id, answer("q", "c"));
        await one.directory.put(entry(id, "idle"));
      }
      await one.wakes.wake(pool, threadId);
      await one.wakes.wake(pool, other);

      await two.forget(threadId);
      await two.forget(threadId);

      const stateOf = async (id: string) => ({
        log: await two.log.head(id),
        batches: (await all(two.log.read(id, 0))).length,
        submissions: await two.submissions.head(id),
        isListed: (await two.directory.get(id)) !== undefined,
        isFirstAnswer: await two.answers.answer(id, answer("q", "d")),
      });
      expect(await stateOf(threadId)).toEqual({
        log: 0,
        batches: 0,
        submissions: 0,
        isListed: false,
        isFirstAnswer: true,
      });
      expect(await stateOf(other)).toMatchObject({ isListed: true, isFirstAnswer: false });
      expect((await all(two.log.read(other, 0))).map(textOf)).toEqual([large]);
      expect((await two.wakes.next(pool, signal))?.threadId).toBe(other);
    });

    describe("blobs", () => {
      test("are returned byte for byte", async () => {
        const name = randomUuid();
        const value = Uint8Array.from({ length: 700_000 }, (_, n) => n % 251);
        expect(await one.blobs.get(name)).toBeUndefined();

        await one.blobs.put(name, value);

        expect(Buffer.compare((await two.blobs.get(name)) ?? new Uint8Array(), value)).toBe(0);
      });
    });
  });
}

/** A batch with one event. */
export function batch(epoch: number, text: string): LogBatch {
  return { epoch, worker: `w${epoch}`, applied: [1], entries: [{ seq: 16, event: event(text) }] };
}

function textOf({ entries }: LogBatch): string {
  const [entry] = entries;
  return entry !== undefined && "event" in entry ? entry.event.id : "";
}

function event(id: string) {
  return { id, msg: { type: "shutdown_complete" as const } };
}

function submission(id: string, text: string): SentSubmission {
  return { id, op: { type: "user_input", items: [{ type: "text", text }] } };
}

function holder(worker: string): LeaseHolder {
  return { worker, pool: "p", durationMs: 60_000 };
}

function answer(question: string, client: string): Answer {
  const op = { type: "exec_approval" as const, id: question, decision: "approved" as const };
  return { question, op, client, gateway: "g", answeredAtMs: 1 };
}

function entry(threadId: string, state: DirectoryEntry["state"]): DirectoryEntry {
  const owner = { pool: "p", worker: "w", epoch: 1 };
  return { threadId, ...owner, head: [], createdAtMs: 1, updatedAtMs: 2, state };
}

async function all<Value>(values: AsyncIterable<Value>): Promise<Value[]> {
  const read: Value[] = [];
  for await (const value of values) read.push(value);
  return read;
}

async function take<Value>(values: AsyncIterable<Value>, count: number): Promise<Value[]> {
  const read: Value[] = [];
  for await (const value of values) if (read.push(value) === count) break;
  return read;
}

/** Number of signals that `AbortSignal.any` has attached to one; Node has no other way to ask. */
function dependantsOf(signal: AbortSignal): number {
  const symbols = Object.getOwnPropertySymbols(signal);
  const key = symbols.find(({ description }) => description === "kDependantSignals");
  const dependants = key && (signal as unknown as Record<symbol, Set<unknown> | undefined>)[key];
  return dependants?.size ?? 0;
}
