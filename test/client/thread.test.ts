import { expect, test } from "vitest";
import type { ThreadStreamEvent } from "../../src/client/index.js";
import { defineTool, ok, parameters } from "../../src/tools/index.js";
import { startCodex } from "../support/library.js";
import { both, calls, hangs, reasons, says } from "../support/model.js";

const runs = (cmd: string) => calls("exec_command", { cmd }, "c1");

test("the deltas of a turn come in order, under the ids of their items", async () => {
  await using codex = await startCodex([
    both(reasons("**Hm**"), runs("echo out")),
    says("Hello.", "Hel", "lo."),
  ]);
  const { events } = await codex.startThread().runStreamed("go", { deltas: true });

  const seen: ThreadStreamEvent[] = [];
  for await (const event of events) seen.push(event);

  for (const event of seen) {
    if (event.type !== "item.completed" || !("text" in event.item)) continue;
    const { id, text } = event.item;
    const deltas = seen.flatMap((one) =>
      one.type === "item.delta" && one.item_id === id ? [one.delta] : [],
    );
    expect(deltas.join("")).toBe(text);
  }
  const deltas = seen.flatMap((event) => (event.type === "item.delta" ? [event] : []));
  expect(deltas.map(({ item_type, delta }) => [item_type, delta])).toEqual([
    ["reasoning", "**Hm**"],
    ["command_execution", "out\n"],
    ["agent_message", "Hel"],
    ["agent_message", "lo."],
  ]);
  const last = seen.at(-1);
  const usages = seen.flatMap((event) => (event.type === "usage.updated" ? [event.usage] : []));
  expect(usages).toHaveLength(2);
  expect(last).toEqual({ type: "turn.completed", usage: usages.at(-1) });
});

test("without the option a turn has the events of the SDK alone", async () => {
  await using codex = await startCodex([says("Hello.", "Hel", "lo.")]);
  const { events } = await codex.startThread().runStreamed("go");

  const types: string[] = [];
  for await (const event of events) types.push(event.type);

  expect(types.filter((type) => /delta|usage/.test(type))).toEqual([]);
});

test("a slow consumer gets every text, in fewer events", async () => {
  const pieces = Array.from({ length: 60_000 }, (_, at) => `${at} `);
  await using codex = await startCodex([says(pieces.join(""), ...pieces)]);
  const { events } = await codex.startThread().runStreamed("go", { deltas: true });

  let text = "";
  let count = 0;
  for await (const event of events) {
    if (event.type !== "item.delta") continue;
    text += event.delta;
    if (count++ === 0) await new Promise((resolve) => setTimeout(resolve, 100));
  }

  expect(text).toBe(pieces.join(""));
  expect(count).toBeLessThan(pieces.length);
});

test("a consumer can use its thread and others before it takes the next event", async () => {
  const pieces = Array.from({ length: 2000 }, (_, at) => `${at} `);
  await using codex = await startCodex([says(pieces.join(""), ...pieces), says("other")]);
  const thread = codex.startThread();
  const { events } = await thread.runStreamed("go", { deltas: true });

  let text = "";
  let other: string | undefined;
  for await (const event of events) {
    if (event.type !== "item.delta") continue;
    text += event.delta;
    other ??= (await codex.startThread().run("hi")).finalResponse;
    if (text.length < 100) expect(await thread.goal()).toBeNull();
  }

  expect(other).toBe("other");
  expect(text).toBe(pieces.join(""));
});

test("a running turn is steered and interrupted", async () => {
  await using codex = await startCodex([runs("sleep 0.3"), hangs()]);
  const thread = codex.startThread();
  await expect(thread.steer("early")).rejects.toMatchObject({ code: "invalid_request" });
  await thread.interrupt();
  const { events } = await thread.runStreamed("go");

  const following = (async () => {
    for await (const event of events) {
      if (event.type === "item.started") await thread.steer("also this");
      if (event.type === "item.completed" && event.item.type === "command_execution") {
        await thread.interrupt();
      }
    }
  })();

  await expect(following).rejects.toMatchObject({ code: "interrupted" });
});

test("steered input reaches the model", async () => {
  await using codex = await startCodex([runs("sleep 0.2"), says("Both.")]);
  const thread = codex.startThread();
  const { events } = await thread.runStreamed("go");

  for await (const event of events) {
    if (event.type === "item.started") await thread.steer("also this");
  }

  expect(JSON.stringify(codex.prompts.at(-1)?.input)).toContain("also this");
});

test("a thread is compacted, forked, listed and rewound", async () => {
  await using codex = await startCodex([says("one"), says("two"), says("three"), says("short")]);
  const thread = codex.startThread();
  await thread.run("first");
  await thread.run("second");

  const { data: turns } = await thread.listTurns({ sortDirection: "asc" });
  const copy = await thread.fork({ lastTurnId: turns[0]?.id ?? "" });
  const { finalResponse } = await copy.run("third");
  const rewound = await thread.rewind({ turnId: turns[1]?.id ?? "" });
  await thread.compact();
  const listed = await codex.client.listThreads({ sourceKinds: [] });

  expect(turns).toHaveLength(2);
  expect(copy.id).not.toBe(thread.id);
  expect(finalResponse).toBe("three");
  expect(JSON.stringify(codex.prompts[2]?.input)).not.toContain("second");
  expect(rewound.numTurns).toBe(1);
  expect(listed.data.map(({ id }) => id)).toEqual(expect.arrayContaining([thread.id, copy.id]));
});

test("a thread has a goal until it is removed", async () => {
  await using codex = await startCodex([says("one")]);
  const thread = codex.startThread();
  await thread.run("first");

  const set = await thread.setGoal({ objective: "Ship it", status: "paused" });

  expect(set.objective).toBe("Ship it");
  expect(await thread.goal()).toMatchObject({ objective: "Ship it" });
  expect(await thread.clearGoal()).toBe(true);
  expect(await thread.goal()).toBeNull();
});

test("requests reject with the reason of their signal", async () => {
  await using codex = await startCodex([says("one")]);
  const thread = codex.startThread();
  const reason = new Error("changed my mind");
  const signal = AbortSignal.abort(reason);

  await expect(thread.goal({ signal })).rejects.toBe(reason);
  await expect(thread.compact({ signal })).rejects.toBe(reason);
  await expect(codex.client.listThreads({ signal })).rejects.toBe(reason);
});

const greet = defineTool({
  name: "greet",
  description: "Greets.",
  input: parameters({}, []),
  async run(_, { progress }) {
    progress?.("waving");
    return ok("hello");
  },
});

test("a closed thread is resumed with tools that it did not have", async () => {
  await using codex = await startCodex([says("one"), calls("greet", {}, "c1"), says("done")]);
  const first = codex.startThread();
  await first.run("first");
  const id = first.id ?? "";
  await expect(codex.resumeThread(id, { tools: [greet] }).run("now")).rejects.toMatchObject({
    code: "invalid_request",
    message: expect.stringContaining("is in use and cannot change its tools (got `greet`)"),
  });
  await first.close();

  const { events } = await codex
    .resumeThread(id, { tools: [greet] })
    .runStreamed("now", { deltas: true });
  const seen: ThreadStreamEvent[] = [];
  for await (const event of events) seen.push(event);

  expect(seen).toContainEqual(
    expect.objectContaining({ type: "item.delta", item_type: "tool_call", delta: "waving" }),
  );
  expect(seen).toContainEqual(
    expect.objectContaining({
      type: "item.completed",
      item: expect.objectContaining({ type: "tool_call", output: "hello" }),
    }),
  );
});
