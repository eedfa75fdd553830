import { describe, expect, test } from "vitest";
import { type EraName, eventWireOf, execWireOf, wireOf } from "../../src/compat/index.js";

const eras = ["0.39", "0.42", "0.45", "0.104", "0.166", "current"] as const satisfies EraName[];

describe("items of 2026", () => {
  const newItems = [
    "dynamicToolCall",
    "hookPrompt",
    "subAgentActivity",
    "collabAgentToolCall",
    "sleep",
    "functionCallOutput",
  ];
  const oldItems = ["userMessage", "agentMessage", "reasoning", "fileChange", "webSearch"];
  const item = (type: string) => ({ type, id: type });

  test.each(newItems)("%s is not in a list of 0.104", (type) => {
    const turn = (types: string[]) => ({
      threadId: "t",
      turn: { id: "u", items: types.map(item), status: "completed" },
    });
    const sent = turn(["userMessage", type, "agentMessage"]);

    expect(wireOf("0.104").params("turn/completed", sent)).toEqual(
      turn(["userMessage", "agentMessage"]),
    );
    expect(wireOf("0.166").params("turn/completed", sent)).toEqual(sent);
    expect(wireOf("current").params("turn/completed", sent)).toBe(sent);
  });

  test.each(["item/started", "item/completed"])("%s of one is not sent to 0.104", (method) => {
    for (const type of newItems) {
      const params = { item: item(type), threadId: "t", turnId: "u" };
      expect(wireOf("0.104").params(method, params)).toBeUndefined();
      expect(wireOf("0.166").params(method, params)).toEqual(params);
    }
    for (const type of oldItems) {
      const params = { item: item(type), threadId: "t", turnId: "u" };
      expect(wireOf("0.104").params(method, params)).toEqual(params);
    }
  });

  test("threads of a result lose them at every depth, and other threads stay the same", () => {
    const thread = (...types: string[]) => ({
      id: "t",
      turns: [{ id: "u", items: types.map(item) }],
    });
    const wire = wireOf("0.104");

    expect(wire.result("thread/read", { thread: thread("hookPrompt", "plan") })).toEqual({
      thread: thread("plan"),
    });
    const plain = { thread: thread("plan") };
    expect(wire.result("thread/read", plain)).toEqual(plain);
  });

  test("a turn without items is not changed", () => {
    for (const items of [[], undefined, null]) {
      const params = { threadId: "t", turn: { id: "u", items } };
      expect(wireOf("0.104").params("turn/completed", params)).toEqual(params);
    }
  });

  test("values that are no objects pass through", () => {
    for (const value of [null, undefined, 5, "x", true]) {
      expect(wireOf("0.104").result("thread/read", value)).toBe(value);
      expect(wireOf("0.104").params("turn/completed", value)).toBe(value);
    }
  });

  test("a value is never changed in place", () => {
    const items = Object.freeze([Object.freeze(item("hookPrompt"))]);
    const turn = Object.freeze({ id: "u", items, responseId: "r" });
    const params = Object.freeze({ threadId: "t", turn });

    expect(wireOf("0.104").params("turn/completed", params)).toEqual({
      threadId: "t",
      turn: { id: "u", items: [] },
    });
    expect(items).toHaveLength(1);
  });
});

describe("messages by era", () => {
  test.each([
    ["thread/queue/add", "0.166"],
    ["thread/queue/start", "0.166"],
    ["thread/section/move", "0.166"],
    ["threadSection/create", "0.166"],
    ["project/create", "0.166"],
    ["thread/attachment/add", "0.166"],
    ["thread/attachmentOwner/list", "0.166"],
    ["thread/search", "0.166"],
    ["thread/searchOccurrences", "0.166"],
    ["thread/timeline/list", "0.166"],
    ["thread/sample", "0.166"],
    ["thread/goal/updated", "0.166"],
    ["usage/read", "current"],
    ["thread/start", "0.39"],
    ["turn/start", "0.39"],
  ])("%s exists since %s", (method, since) => {
    const first = eras.find((era) => wireOf(era).has(method));

    // Eras before 0.104 get the form of 0.104.
    expect(first).toBe(since);
    expect(wireOf("current").has(method)).toBe(true);
  });

  test("an unknown method is in every era: its refusal is not a matter of the wire", () => {
    for (const era of eras) expect(wireOf(era).has("no/such/method")).toBe(true);
  });

  test("the codec of an era is made once", () => {
    for (const era of eras) {
      expect(wireOf(era)).toBe(wireOf(era));
      expect(eventWireOf(era)).toBe(eventWireOf(era));
      expect(execWireOf(era)).toBe(execWireOf(era));
    }
  });
});

describe("events of exec --json", () => {
  test.each([
    [{ type: "thread.started", thread_id: "t" }, "0.39"],
    [{ type: "turn.started" }, "0.45"],
    [{ type: "item.completed", item: { id: "1", type: "agent_message", text: "" } }, "0.39"],
    [{ type: "item.completed", item: { id: "1", type: "mcp_tool_call" } }, "0.45"],
    [{ type: "item.completed", item: { id: "1", type: "web_search" } }, "0.45"],
    [{ type: "item.completed", item: { id: "1", type: "error", message: "" } }, "0.104"],
    [{ type: "item.started", item: { id: "1", type: "collab_tool_call" } }, "0.166"],
    [{ type: "item.started", item: { id: "1", type: "tool_call" } }, "current"],
  ])("%j exists since %s", (event, since) => {
    expect(eras.find((era) => execWireOf(era).encode(event) !== undefined)).toBe(since);
  });

  test("the usage of a turn has the counts of the era", () => {
    const usage = { input_tokens: 1, cached_input_tokens: 0, output_tokens: 2 };
    const all = { ...usage, cache_write_input_tokens: 3, reasoning_output_tokens: 4 };
    const event = (counts: object) => ({ type: "turn.completed", usage: counts });

    expect(eras.map((era) => execWireOf(era).encode(event(all)))).toEqual([
      undefined,
      undefined,
      event(usage),
      event(usage),
      event(all),
      event(all),
    ]);
  });
});

test("absent parts are named by shape, and the newest era lacks nothing of an item", () => {
  const variants = (era: EraName) => wireOf(era).absent.get("ThreadItem")?.variants ?? [];

  expect([...variants("0.104")].sort()).toEqual([
    "answeredQuestions",
    "collabAgentToolCall",
    "dynamicToolCall",
    "functionCallOutput",
    "hookPrompt",
    "imageGeneration",
    "sleep",
    "subAgentActivity",
  ]);
  expect(variants("0.166")).toEqual(["answeredQuestions"]);
  expect(variants("current")).toEqual([]);
});
