import { describe, expect, test } from "vitest";
import type { EventMsg, Goal, InputItem, QueueChange } from "../../src/protocol/types.js";
import { ThreadWork } from "../../src/rollout/index.js";

const items = (text: string): InputItem[] => [{ type: "text", text }];
const input = (id: string, text = id) => ({ id, items: items(text), client_id: `c-${id}` });
const added = (id: string): QueueChange => ({ type: "added", input: input(id) });
const abc = [added("a"), added("b"), added("c")];

function apply(...changes: (QueueChange | EventMsg)[]): ThreadWork {
  const work = new ThreadWork();
  for (const change of changes) work.apply(isEvent(change) ? change : toEvent(change));
  return work;
}

const eventTypes = new Set(["user_message", "thread_goal_updated", "thread_goal_cleared", "error"]);
const isEvent = (change: QueueChange | EventMsg): change is EventMsg => eventTypes.has(change.type);
const toEvent = (change: QueueChange): EventMsg => ({ type: "thread_queue_changed", change });
const userMessage: EventMsg = { type: "user_message", message: "hi" };

describe("the queue of a thread", () => {
  test.each<[string, QueueChange[], string[]]>([
    ["added", abc, ["a", "b", "c"]],
    ["removed", [...abc, { type: "removed", id: "b" }], ["a", "c"]],
    ["removed, but not in it", [...abc, { type: "removed", id: "x" }], ["a", "b", "c"]],
    ["removed twice", [...abc, ...Array(2).fill({ type: "removed", id: "a" })], ["b", "c"]],
    ["started", [...abc, { type: "started", id: "b", turn_id: "t" }], ["a", "c"]],
    ["reordered", [...abc, { type: "reordered", ids: ["c", "a", "b"] }], ["c", "a", "b"]],
    [
      "reordered with an unknown id",
      [...abc, { type: "reordered", ids: ["c", "x", "a", "b"] }],
      ["c", "a", "b"],
    ],
    [
      "returned to its front",
      [...abc, { type: "started", id: "b", turn_id: "t" }, { type: "returned", input: input("b") }],
      ["b", "a", "c"],
    ],
    ["added after a removal", [...abc, { type: "removed", id: "c" }, added("c")], ["a", "b", "c"]],
  ])("has the order of input that was %s", (_, changes, expected) => {
    expect(apply(...changes).queue.map(({ id }) => id)).toEqual(expected);
  });

  test("input is updated where it is, with the id of its client", () => {
    const work = apply(...abc, { type: "updated", id: "b", items: items("new") });

    expect(work.queue).toEqual([input("a"), input("b", "new"), input("c")]);
  });

  test("an update of input that is not queued changes nothing", () => {
    const work = apply(...abc, { type: "updated", id: "x", items: items("new") });

    expect(work.queue).toEqual([input("a"), input("b"), input("c")]);
  });
});

describe("input whose turn has started", () => {
  const started: QueueChange = { type: "started", id: "b", turn_id: "t" };

  test("is pending before the rest until the conversation contains it", () => {
    const work = apply(...abc, started);
    expect(work.pending.map(({ id }) => id)).toEqual(["b", "a", "c"]);
    work.apply(userMessage);

    expect(work.starting).toBeUndefined();
    expect(work.pending.map(({ id }) => id)).toEqual(["a", "c"]);
  });

  test("is not lost by other changes", () => {
    const work = apply(...abc, started, { type: "reordered", ids: ["c", "a"] }, added("d"));

    expect(work.pending.map(({ id }) => id)).toEqual(["b", "c", "a", "d"]);
  });

  test("is in the queue once after it was returned", () => {
    const work = apply(...abc, started, { type: "returned", input: input("b") });

    expect(work.starting).toBeUndefined();
    expect(work.pending.map(({ id }) => id)).toEqual(["b", "a", "c"]);
  });

  test("is none if it was not queued", () => {
    expect(apply(...abc, { type: "started", id: "x", turn_id: "t" }).starting).toBeUndefined();
  });
});

describe("the goal of a thread", () => {
  const goal: Goal = {
    threadId: "t",
    objective: "x",
    status: "active",
    tokensUsed: 0,
    timeUsedSeconds: 0,
    createdAt: 1,
    updatedAt: 1,
  };
  const updated = (fields: Partial<Goal> = {}): EventMsg => ({
    type: "thread_goal_updated",
    threadId: "t",
    goal: { ...goal, ...fields },
  });
  const cleared: EventMsg = { type: "thread_goal_cleared", threadId: "t" };

  test.each<[string, EventMsg[], Goal | undefined]>([
    ["none at first", [], undefined],
    ["that of the event", [updated()], goal],
    ["the last", [updated(), updated({ tokensUsed: 9 })], { ...goal, tokensUsed: 9 }],
    ["none after it was cleared", [updated(), cleared], undefined],
    ["a new one after that", [updated(), cleared, updated()], goal],
    ["not changed by other events", [updated(), userMessage, { type: "error", message: "" }], goal],
  ])("is %s", (_, events, expected) => {
    expect(apply(...events).goal).toEqual(expected);
  });
});
