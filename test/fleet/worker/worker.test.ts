import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Workspaces } from "../../../src/fleet/worker/index.js";
import { OpenItems, outcomeUnknown } from "../../../src/protocol/lost-items.js";
import type { EventMsg } from "../../../src/protocol/types.js";
import { type Answer, counts, makesCalls, TestFleet } from "./fleet.js";

const count = (messages: readonly EventMsg[], type: string) =>
  messages.filter((msg) => msg.type === type).length;

test("a worker runs the turn of a thread and its log has all of it", async () => {
  await using fleet = await TestFleet.start({ answer: makesCalls(counts("a")) });
  await fleet.addWorker("w1");
  const threadId = await fleet.startThread();

  const turn = await fleet.say(threadId, "go");
  await fleet.untilEnd(threadId, turn);

  const messages = await fleet.messages(threadId);
  expect([count(messages, "session_configured"), count(messages, "task_started")]).toEqual([1, 1]);
  expect(fleet.timesRun(threadId, "a")).toBe(1);
  const seqs = (await fleet.batches(threadId)).flatMap(({ entries }) =>
    entries.flatMap((entry) => ("seq" in entry ? [entry.seq] : [])),
  );
  expect(seqs).toEqual(seqs.map((_, index) => 16 * (index + 1)));
  await fleet.when(async () => (await fleet.broker.directory.get(threadId))?.state === "idle");
});

test("a thread without work is unloaded and continues with its settings", async () => {
  await using fleet = await TestFleet.start({ answer: makesCalls(), idleMs: 0 });
  await fleet.addWorker("w1");
  const threadId = await fleet.startThread({
    approval_policy: "never",
    sandbox_policy: { mode: "read-only" },
  });
  const isFree = async () => (await fleet.broker.leases.read(threadId)) === undefined;
  await fleet.untilEnd(threadId, await fleet.say(threadId, "one"));
  await fleet.when(isFree);
  await fleet.submit(threadId, { type: "override_turn_context", approval_policy: "untrusted" });
  await fleet.when(async () =>
    (await fleet.batches(threadId)).some(({ epoch }, _, all) => epoch > (all[0]?.epoch ?? 0)),
  );
  await fleet.when(isFree);
  await fleet.addWorker("w2");

  await fleet.untilEnd(threadId, await fleet.say(threadId, "two"));

  const lines = (await fleet.batches(threadId)).flatMap(({ entries }) =>
    entries.flatMap((entry) => ("line" in entry ? [entry.line] : [])),
  );
  const contexts = lines.filter((line) => line.type === "turn_context");
  expect(contexts.at(-1)?.payload).toMatchObject({
    approval_policy: "untrusted",
    sandbox_policy: { mode: "read-only" },
  });
  expect(count(await fleet.messages(threadId), "session_configured")).toBe(1);
});

test("another worker continues the turn of a worker that was killed", async () => {
  await using fleet = await TestFleet.start({
    answer: makesCalls(counts("a"), counts("b", { until: "go" }), counts("c")),
  });
  const first = await fleet.addWorker("w1");
  const threadId = await fleet.startThread();
  const turn = await fleet.say(threadId, "go");
  await fleet.when(() => fleet.timesRun(threadId, "b") === 1);
  const second = await fleet.addWorker("w2");

  await fleet.kill(first);
  await fleet.untilEnd(threadId, turn);

  const messages = await fleet.messages(threadId);
  expect([count(messages, "task_started"), count(messages, "task_complete")]).toEqual([1, 1]);
  expect(["a", "b", "c"].map((id) => fleet.timesRun(threadId, id))).toEqual([1, 1, 1]);
  const open = new OpenItems();
  for (const msg of messages) open.read(msg);
  expect(open.all).toEqual([]);
  const input = JSON.stringify(second.prompts.at(-1)?.input);
  expect(input.split(outcomeUnknown).length).toBe(2);
  const epochs = (await fleet.batches(threadId)).map(({ epoch }) => epoch);
  expect(epochs).toEqual(epochs.toSorted((a, b) => a - b));
});

test("a worker that is cut off ends its commands and adds nothing", async () => {
  await using fleet = await TestFleet.start({
    answer: makesCalls(counts("a", { until: "go" }), counts("b")),
  });
  const first = await fleet.addWorker("w1");
  const threadId = await fleet.startThread();
  const turn = await fleet.say(threadId, "go");
  await fleet.when(() => fleet.timesRun(threadId, "a") === 1);
  await fleet.addWorker("w2");

  first.broker.cut();
  await fleet.untilEnd(threadId, turn);
  const { length } = await fleet.batches(threadId);
  await fleet.when(() => first.worker.size === 0);
  first.broker.mend();
  writeFileSync(join(fleet.workspace, threadId, "go"), "");

  expect(await fleet.batches(threadId)).toHaveLength(length);
  expect(["a", "b"].map((id) => fleet.timesRun(threadId, id))).toEqual([1, 1]);
});

test("epochs in a log never fall, also if the broker counts its leases from a lower number again", async () => {
  await using fleet = await TestFleet.start({ answer: makesCalls(counts("a")), idleMs: 20 });
  const { worker } = await fleet.addWorker("w1");
  const threadId = await fleet.startThread();
  await fleet.untilEnd(threadId, await fleet.say(threadId, "go"));
  await fleet.when(() => worker.size === 0);
  const head = await fleet.broker.log.head(threadId);
  const old = { epoch: 1_000, worker: "w0", applied: [], entries: [] };
  await fleet.broker.log.append(threadId, old, head);

  await fleet.untilEnd(threadId, await fleet.say(threadId, "again"));

  const epochs = (await fleet.batches(threadId)).map(({ epoch }) => epoch);
  expect(epochs).toEqual(epochs.toSorted((a, b) => a - b));
  await fleet.when(() => worker.size === 0);
});

test("an answer is applied where the turn continues", async () => {
  await using fleet = await TestFleet.start({
    answer: makesCalls(counts("a")),
    config: { approval_policy: "untrusted" },
  });
  const first = await fleet.addWorker("w1");
  const threadId = await fleet.startThread();
  const turn = await fleet.say(threadId, "go");
  await fleet.untilType(threadId, "exec_approval_request");
  await fleet.when(async () => (await fleet.broker.directory.get(threadId))?.state === "waiting");
  await fleet.kill(first);
  const op = { type: "exec_approval", id: "a", decision: "approved" } as const;
  const answer = { question: "a", op, client: "c", gateway: "g", answeredAtMs: 1 };
  expect(await fleet.broker.answers.answer(threadId, answer)).toBe(true);

  await fleet.addWorker("w2");
  await fleet.untilEnd(threadId, turn);

  expect(fleet.timesRun(threadId, "a")).toBe(1);
  const messages = await fleet.messages(threadId);
  expect(messages.filter(({ type }) => type === "question_answered")).toMatchObject([
    { key: "a", op, client: "c", gateway: "g" },
  ]);
});

test("a drained worker hands its turn over between two commands", async () => {
  await using fleet = await TestFleet.start({
    answer: makesCalls(counts("a", { until: "go" }), counts("b", { until: "go" }), counts("c")),
  });
  const first = await fleet.addWorker("w1");
  const threadId = await fleet.startThread();
  const turn = await fleet.say(threadId, "go");
  await fleet.when(() => fleet.timesRun(threadId, "a") === 1);
  const second = await fleet.addWorker("w2");

  await fleet.broker.workers.drain("w1");
  writeFileSync(join(fleet.workspace, threadId, "go"), "");
  await fleet.untilEnd(threadId, turn);
  await first.worker.gone;

  expect(["a", "b", "c"].map((id) => fleet.timesRun(threadId, id))).toEqual([1, 1, 1]);
  expect(JSON.stringify(second.prompts)).not.toContain(outcomeUnknown);
  expect((await fleet.batches(threadId)).at(-1)?.worker).toBe("w2");
  expect((await fleet.broker.workers.list()).map(({ name }) => name)).toEqual(["w2"]);
});

describe("a thread with a helper agent", () => {
  const call = (id: string, name: string, args: object) => ({
    call: name,
    namespace: "collaboration",
    args,
    call_id: id,
  });
  const spawn = call("spawn", "spawn_agent", {
    task_name: "child",
    message: "go",
    fork_turns: "none",
  });
  const ofAgent = makesCalls(counts("a", { until: "go" }), counts("b"));
  const answerWith =
    (...ofRoot: Parameters<typeof makesCalls>): Answer =>
    (prompt) => {
      const isAgent = JSON.stringify(prompt.input).includes("NEW_TASK");
      return (isAgent ? ofAgent : makesCalls(...ofRoot))(prompt);
    };
  const config = { features: { multi_agent_v2: true } };

  test("is handed over when the agent has ended its work", async () => {
    const answer = answerWith(spawn, call("wait", "wait_agent", {}), counts("c"));
    await using fleet = await TestFleet.start({ answer, config });
    const first = await fleet.addWorker("w1");
    const threadId = await fleet.startThread();
    const turn = await fleet.say(threadId, "go");
    await fleet.when(() => fleet.timesRun(threadId, "a") === 1);
    await fleet.addWorker("w2");

    await fleet.broker.workers.drain("w1");
    writeFileSync(join(fleet.workspace, threadId, "go"), "");
    await fleet.untilEnd(threadId, turn);
    await first.worker.gone;

    expect(["a", "b", "c"].map((id) => fleet.timesRun(threadId, id))).toEqual([1, 1, 1]);
  });

  test("stays loaded after its turn until the agent has ended its work", async () => {
    await using fleet = await TestFleet.start({ answer: answerWith(spawn), config, idleMs: 0 });
    await fleet.addWorker("w1");
    const threadId = await fleet.startThread();

    await fleet.untilEnd(threadId, await fleet.say(threadId, "go"));
    await fleet.when(() => fleet.timesRun(threadId, "a") === 1);
    writeFileSync(join(fleet.workspace, threadId, "go"), "");

    await fleet.when(() => fleet.timesRun(threadId, "b") === 1);
    await fleet.when(async () => (await fleet.broker.leases.read(threadId)) === undefined);
  });
});

test("a worker that is alone ends its turn before it leaves", async () => {
  await using fleet = await TestFleet.start({
    answer: makesCalls(counts("a", { until: "go" }), counts("b")),
  });
  const { worker } = await fleet.addWorker("w1");
  const threadId = await fleet.startThread();
  const turn = await fleet.say(threadId, "go");
  await fleet.when(() => fleet.timesRun(threadId, "a") === 1);

  worker.drain();
  writeFileSync(join(fleet.workspace, threadId, "go"), "");
  await worker.gone;

  await fleet.untilEnd(threadId, turn);
  expect(await fleet.broker.leases.list()).toEqual([]);
});

test.each([
  ["a folder outside of the workspace root", { cwd: tmpdir() }, "must be below the workspace root"],
  ["a file of the worker", { resume_path: "/x" }, "resume it by its id"],
  ["no storage", { ephemeral: true }, "is always stored"],
])("a thread with %s is refused, and its turns end", async (_, op, message) => {
  await using fleet = await TestFleet.start({ answer: makesCalls() });
  await fleet.addWorker("w1");
  const threadId = await fleet.startThread(op);

  const { msg } = await fleet.untilType(threadId, "error");

  expect(msg).toMatchObject({ message: expect.stringContaining(message) });
  await fleet.untilEnd(threadId, await fleet.say(threadId, "go"));
});

test("names that lead out of the folder of the worker have no effect", async () => {
  await using fleet = await TestFleet.start({ answer: makesCalls(), idleMs: 0 });
  const { name, broker, worker } = await fleet.addWorker("w1");
  const other = join(fleet.root, name, "other");
  mkdirSync(other);
  const foreign = "../../other";

  await fleet.broker.leases.take(foreign, { worker: "lost", pool: "main", durationMs: 10 });
  await fleet.when(() => broker.leases.isLost(foreign));
  await fleet.broker.wakes.wake("main", foreign);
  const threadId = await fleet.startThread();
  await fleet.untilEnd(threadId, await fleet.say(threadId, "go"));
  await fleet.when(() => worker.size === 0);

  expect(await fleet.batches(foreign)).toEqual([]);
  expect(existsSync(other)).toBe(true);
});

test("a workspace root that does not exist is refused", () => {
  expect(() => new Workspaces("/nowhere")).toThrow("The workspace root /nowhere does not exist");
});

test("a workspace root that is a file is refused", () => {
  expect(() => new Workspaces("/etc/passwd")).toThrow(
    "The workspace root /etc/passwd is not a folder",
  );
});

test("one worker runs fifty threads at a time", async () => {
  await using fleet = await TestFleet.start({ answer: makesCalls(), idleMs: 0 });
  const { prompts } = await fleet.addWorker("w1", { leaseMs: 20_000 });

  const threads = await Promise.all(Array.from({ length: 50 }, () => fleet.startThread()));
  await Promise.all(
    threads.map(async (threadId) => fleet.untilEnd(threadId, await fleet.say(threadId, "go"))),
  );

  expect(prompts).toHaveLength(50);
});

test("a thread whose folder was removed answers with an error, and its turns end", async () => {
  await using fleet = await TestFleet.start({ answer: makesCalls(), idleMs: 0 });
  await fleet.addWorker("w1");
  const threadId = await fleet.startThread();
  await fleet.untilEnd(threadId, await fleet.say(threadId, "one"));
  await fleet.when(async () => (await fleet.broker.leases.read(threadId)) === undefined);
  rmSync(join(fleet.workspace, threadId), { recursive: true });

  await fleet.untilEnd(threadId, await fleet.say(threadId, "two"));

  const errors = (await fleet.messages(threadId)).filter(({ type }) => type === "error");
  expect(errors).toMatchObject([{ message: expect.stringContaining("does not exist") }]);
});
