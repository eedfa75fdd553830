import { expect, test } from "vitest";
import { startCodex } from "../support/library.js";
import { hangs, says } from "../support/model.js";

test("a turn is interrupted before it has started", async () => {
  await using codex = await startCodex([hangs()]);
  const thread = codex.startThread();
  const running = thread.run("go");

  await thread.interrupt();

  await expect(running).rejects.toMatchObject({ code: "interrupted" });
  expect(codex.prompts).toEqual([]);
});

test("a thread is closed before its turn has started, and used again", async () => {
  await using codex = await startCodex([says("later")]);
  const thread = codex.startThread();
  const running = thread.run("go");

  const [ended] = await Promise.allSettled([running, thread.close()]);

  expect(ended).toMatchObject({ status: "rejected", reason: { code: "interrupted" } });
  expect((await thread.run("again")).finalResponse).toBe("later");
});

test("a thread is closed by the consumer of its last event", async () => {
  await using codex = await startCodex([says("one")]);
  const thread = codex.startThread();
  const { events } = await thread.runStreamed("go");

  const types: string[] = [];
  for await (const { type } of events) {
    types.push(type);
    if (type === "turn.completed") await thread.close();
  }

  expect(types.at(-1)).toBe("turn.completed");
});

test("input for a turn that is about to start waits for it", async () => {
  await using codex = await startCodex([[{ pause_ms: 50 }, { message: "one" }], says("both")]);
  const thread = codex.startThread();
  const running = thread.run("go");

  await thread.steer("also this");

  expect((await running).finalResponse).toBe("both");
  expect(JSON.stringify(codex.prompts.at(-1)?.input)).toContain("also this");
});

test("waiting with input for a turn ends with the signal", async () => {
  await using codex = await startCodex([says("one")]);
  const thread = codex.startThread();
  const running = thread.run("go");
  const reason = new Error("changed my mind");

  await expect(thread.steer("x", { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);

  expect((await running).finalResponse).toBe("one");
});

test("requests that come together open one thread", async () => {
  await using codex = await startCodex([says("one")]);
  const thread = codex.startThread();

  const [turn, goal] = await Promise.all([
    thread.run("go"),
    thread.setGoal({ objective: "Ship it", status: "paused" }),
    thread.goal(),
  ]);

  expect(turn.finalResponse).toBe("one");
  expect(goal.threadId).toBe(thread.id);
  expect(await codex.loaded()).toEqual([thread.id]);
});

test("a compaction rejects with the reason of its signal, and ends by `interrupt`", async () => {
  await using codex = await startCodex([says("one"), hangs(), hangs(), says("two")]);
  const thread = codex.startThread();
  await thread.run("go");
  const stopping = new AbortController();
  const reason = new Error("changed my mind");

  const compacting = thread.compact({ signal: stopping.signal });
  await codex.asked(2);
  stopping.abort(reason);
  await expect(compacting).rejects.toBe(reason);
  const again = thread.compact();
  await codex.asked(3);
  const [ended] = await Promise.allSettled([again, thread.interrupt()]);

  expect(ended).toMatchObject({ status: "rejected", reason: { code: "interrupted" } });
  expect((await thread.run("go on")).finalResponse).toBe("two");
});
