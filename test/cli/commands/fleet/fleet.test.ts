import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type Broker, openBroker } from "../../../../src/fleet/index.js";
import { batch } from "../../../fleet/broker-contract.js";
import { hasNatsServer, type NatsServer, startNatsServer } from "../../../support/nats-server.js";
import { createInProcessUser, type InProcessUser } from "../../support/in-process.js";

test("fleet without a verb prints its help and fails", async () => {
  using user = createInProcessUser();

  const { code, stderr } = await user.run(["fleet"]);

  expect(code).toBe(2);
  expect(stderr).toContain("List workers and threads");
});

test.each([
  [["pss"], "Unknown command `quire fleet pss`. Did you mean `quire fleet ps`?"],
  [["ps"], "Expected --nats URL"],
  [["ps", "--nats", "http://x"], "Expected the address of a broker"],
  [["logs", "--nats", "memory:"], "Expected THREAD"],
  [["logs", "t1", "--nats", "memory:"], "The fleet has no thread t1"],
  [["submit", "--nats", "memory:", "-m", "hi"], "Expected --thread ID"],
  [["submit", "--nats", "memory:", "--thread", "t1"], "Expected --message TEXT"],
  [["submit", "--nats", "memory:", "--thread", "t1", "-m", "hi"], "The fleet has no thread t1"],
  [["drain", "--nats", "memory:"], "Expected WORKER"],
  [["drain", "w9", "--nats", "memory:"], 'No worker is named "w9" (no worker is running)'],
])("fleet %j fails with %s", async (args, message) => {
  using user = createInProcessUser();

  const { code, stderr } = await user.run(["fleet", ...args]);

  expect(code).not.toBe(0);
  expect(stderr).toContain(message);
});

const [t1, t2] = ["019a0000-0000-7000-8000-000000000001", "019a0000-0000-7000-8000-000000000002"];

describe.skipIf(!hasNatsServer())("on a fleet", () => {
  let server: NatsServer;
  let broker: Broker;
  let user: InProcessUser;
  const fleet = (...args: string[]) => user.run(["fleet", ...args, "--nats", server.url]);

  beforeAll(async () => {
    server = await startNatsServer();
    broker = await openBroker(server.url);
    user = createInProcessUser();
    const lease = await broker.leases.take(t2, { worker: "w1", pool: "p", durationMs: 60_000 });
    const owner = { pool: "p", worker: "w1", epoch: lease?.epoch ?? 0 };
    const times = { createdAtMs: 1, updatedAtMs: 2, head: [] };
    await broker.directory.put({ threadId: t1, ...owner, ...times, epoch: 1, state: "idle" });
    await broker.directory.put({ threadId: t2, ...owner, ...times, state: "waiting" });
    await broker.workers.announce({ name: "w1", pool: "p", threads: 1, draining: false });
    const first = await broker.log.append(t2, batch(3, "a"), 0);
    await broker.log.append(t2, batch(4, "b"), first);
  });

  afterAll(async () => {
    await broker.close();
    user[Symbol.dispose]();
    await server[Symbol.asyncDispose]();
  });

  test("ps lists workers and threads", async () => {
    const epoch = (await broker.leases.read(t2))?.epoch;

    expect(JSON.parse((await fleet("ps", "--json")).stdout)).toEqual({
      workers: [{ name: "w1", pool: "p", threads: 1, draining: false }],
      threads: [
        { threadId: t1, worker: null, epoch: 1, state: "idle" },
        { threadId: t2, worker: "w1", epoch, state: "waiting" },
      ],
    });
    expect((await fleet("ps")).stdout.split("\n")).toEqual([
      "WORKER  POOL  THREADS  STATE",
      "w1      p     1        ready",
      "",
      "THREAD                                WORKER  EPOCH  STATE",
      `${t1}  -       1      idle`,
      `${t2}  w1      ${epoch}      waiting`,
      "",
    ]);
  });

  test("logs prints the events of a thread in order", async () => {
    const { stdout } = await fleet("logs", t2, "--json");

    const rows = stdout.trimEnd().split("\n");
    expect(rows.map((row) => JSON.parse(row))).toEqual([
      { seq: 16, epoch: 3, worker: "w3", event: { id: "a", msg: { type: "shutdown_complete" } } },
      { seq: 16, epoch: 4, worker: "w4", event: { id: "b", msg: { type: "shutdown_complete" } } },
    ]);
    expect((await fleet("logs", t2)).stdout).toContain("w4/4  shutdown_complete");
  });

  test("submit stores a message once for each name, and wakes the pool of the thread", async () => {
    const submit = () => fleet("submit", "--thread", t2, "-m", "hi", "--id", "m1", "--json");

    const [first, again] = [await submit(), await submit()];

    const { turnId } = JSON.parse(first.stdout);
    expect(JSON.parse(again.stdout)).toEqual({ threadId: t2, turnId });
    const wakeUp = await broker.wakes.next("p", AbortSignal.timeout(5_000));
    expect(wakeUp?.threadId).toBe(t2);
    for await (const { id, op } of broker.submissions.follow(t2, 0, new AbortController().signal)) {
      const items = [{ type: "text", text: "hi" }];
      expect({ id, op }).toEqual({
        id: turnId,
        op: { type: "user_turn", items, client_id: "m1", active_turn_id: null },
      });
      break;
    }
    await wakeUp?.done();
  });

  test("drain waits for the acknowledgement, and with --wait for the end of the worker", async () => {
    const stop = new AbortController();
    const asked = vi.fn();
    await broker.workers.onDrain("w1", asked, stop.signal);

    expect(await fleet("drain", "w1")).toMatchObject({ code: 0, stdout: "w1 is draining\n" });
    expect(asked).toHaveBeenCalledOnce();
    const waiting = fleet("drain", "w1", "--wait");
    await vi.waitFor(() => expect(asked).toHaveBeenCalledTimes(2));
    await broker.workers.leave("w1");

    expect(await waiting).toMatchObject({ code: 0, stdout: "w1 is gone\n" });
    stop.abort();
  });

  test("doctor reports pools without workers", async () => {
    const { code, stdout } = await fleet("doctor", "--json");

    expect(code).toBe(1);
    const { checks } = JSON.parse(stdout);
    expect(checks).toContainEqual({
      name: "pool",
      status: "fail",
      detail: "p has turns to run, and no worker",
    });
    expect((await fleet("doctor")).stdout).toMatch(/^ok +broker +nats-server \d/m);
  });
});
