import { expect, test } from "vitest";
import type { Lease } from "../../../src/fleet/index.js";
import { createDeferred } from "../../../src/lib/async.js";
import { counts, makesCalls, TestFleet, type TestWorker } from "./fleet.js";

/** Changes the leases that a worker takes from now on. */
function changeLeases({ broker }: TestWorker, change: (lease: Lease) => Partial<Lease>): void {
  const { leases } = broker;
  const take = leases.take.bind(leases);
  leases.take = async (threadId, holder) => {
    const lease = await take(threadId, holder);
    if (lease === undefined) return undefined;
    return {
      threadId,
      get epoch() {
        return lease.epoch;
      },
      raise: (epoch) => lease.raise(epoch),
      renew: (state) => lease.renew(state),
      release: () => lease.release(),
      ...change(lease),
    };
  };
}

test("a message that is stored without a wake-up is worked on", async () => {
  await using fleet = await TestFleet.start({ answer: makesCalls(), idleMs: 0, sweepMs: 20 });
  await fleet.addWorker("w1");
  const threadId = await fleet.startThread();
  await fleet.untilEnd(threadId, await fleet.say(threadId, "one"));
  await fleet.when(async () => (await fleet.broker.leases.read(threadId)) === undefined);

  // The gateway is killed before it wakes the pool.
  const op = { type: "user_turn", items: [{ type: "text", text: "two" }] } as const;
  await fleet.broker.submissions.put(threadId, {
    id: "second",
    op: { ...op, items: [...op.items] },
  });

  await fleet.untilEnd(threadId, "second");
});

test("a thread that is stored without a wake-up is started", async () => {
  await using fleet = await TestFleet.start({ answer: makesCalls(), sweepMs: 20 });
  const threadId = "019a0000-0000-7000-8000-000000000001";
  const op = { type: "configure_session", cwd: fleet.workspace } as const;
  await fleet.broker.submissions.put(threadId, { id: "first", op });

  await fleet.addWorker("w1");

  await fleet.untilType(threadId, "session_configured");
});

test("a thread whose messages are done is not woken again", async () => {
  await using fleet = await TestFleet.start({ answer: makesCalls(), idleMs: 0, sweepMs: 10 });
  const { broker } = await fleet.addWorker("w1");
  const threadId = await fleet.startThread();
  await fleet.untilEnd(threadId, await fleet.say(threadId, "one"));
  const isFree = async () => (await fleet.broker.leases.read(threadId)) === undefined;
  await fleet.when(isFree);
  const { length } = await fleet.batches(threadId);
  let sweeps = 0;
  const { recent } = broker.submissions;
  broker.submissions.recent = (mark) => {
    sweeps++;
    return recent(mark);
  };

  await fleet.when(() => sweeps > 5);

  expect(await fleet.batches(threadId)).toHaveLength(length);
});

test("a turn that is handed over continues if the worker is lost right after", async () => {
  await using fleet = await TestFleet.start({
    answer: makesCalls(counts("a"), counts("b")),
    config: { approval_policy: "untrusted" },
  });
  const first = await fleet.addWorker("w1");
  changeLeases(first, (lease) => ({
    async release() {
      await lease.release();
      first.broker.cut();
    },
  }));
  const threadId = await fleet.startThread();
  const turn = await fleet.say(threadId, "go");
  await fleet.untilType(threadId, "exec_approval_request");
  await fleet.addWorker("w2");

  first.worker.drain();
  for (const id of ["a", "b"]) {
    const op = { type: "exec_approval", id, decision: "approved" } as const;
    const answer = { question: id, op, client: "c", gateway: "g", answeredAtMs: 1 };
    await fleet.broker.answers.answer(threadId, answer);
  }

  await fleet.untilEnd(threadId, turn);
});

test("a worker that is drained while a thread is set up leaves, and the thread continues", async () => {
  await using fleet = await TestFleet.start({ answer: makesCalls() });
  const isAsked = createDeferred<void>();
  const mayLoad = createDeferred<void>();
  const first = await fleet.addWorker("w1", {
    async onLoadConfig() {
      isAsked.resolve();
      await mayLoad.promise;
    },
  });
  const threadId = await fleet.startThread();
  const turn = await fleet.say(threadId, "go");
  await isAsked.promise;
  await fleet.addWorker("w2");

  first.worker.drain();
  mayLoad.resolve();

  await fleet.untilEnd(threadId, turn);
  await first.worker.gone;
});

test("a message that comes while a thread is unloaded is worked on", async () => {
  await using fleet = await TestFleet.start({ answer: makesCalls(), idleMs: 0 });
  const first = await fleet.addWorker("w1");
  await fleet.addWorker("w2");
  const turns: Promise<string>[] = [];
  changeLeases(first, (lease) => ({
    async release() {
      if (turns.length < 3) turns.push(fleet.say(threadId, "in between"));
      await Promise.all(turns);
      await lease.release();
    },
  }));
  const threadId = await fleet.startThread();
  await fleet.untilEnd(threadId, await fleet.say(threadId, "one"));

  await fleet.when(() => turns.length > 0);

  for (const turn of turns) await fleet.untilEnd(threadId, await turn);
});

test("a message that comes between the last look and the next renewal is worked on", async () => {
  await using fleet = await TestFleet.start({ answer: makesCalls(), idleMs: 0, leaseMs: 200 });
  const first = await fleet.addWorker("w1");
  const { submissions } = first.broker;
  const head = submissions.head.bind(submissions);
  let turn: Promise<string> | undefined;
  let looks = 0;
  submissions.head = async (threadId) => {
    const last = await head(threadId);
    // The first look is that of the load.
    if (++looks === 2) turn = fleet.say(threadId, "in between");
    await turn;
    return last;
  };
  const threadId = await fleet.startThread();

  await fleet.when(() => turn !== undefined);

  await fleet.untilEnd(threadId, (await turn) ?? "");
});
