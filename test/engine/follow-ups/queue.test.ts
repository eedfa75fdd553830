import { describe, expect, test } from "vitest";
import { assertInput, InputQueue } from "../../../src/engine/follow-ups/queue.js";
import type { InputItem } from "../../../src/protocol/types.js";
import { ThreadWork } from "../../../src/rollout/index.js";
import { createFakeSession } from "./fake-session.js";

const items = (text: string): InputItem[] => [{ type: "text", text }];
const input = (id: string) => ({ id, items: items(id), client_id: null });

function createQueue(...ids: string[]) {
  const { session, emitted } = createFakeSession();
  const work = new ThreadWork();
  const queue = new InputQueue(session, work);
  for (const id of ids) queue.add(input(id));
  emitted.length = 0;
  return { queue, work, emitted, order: () => work.queue.map(({ id }) => id) };
}

describe("the queue of a session", () => {
  test("every change is one event", () => {
    const { queue, emitted, order } = createQueue();
    queue.add(input("a"));
    queue.add(input("b"));
    queue.update("a", items("new"));
    queue.reorder(["b", "a"]);
    queue.remove("b");
    queue.take(queue.find(), "turn-1");

    expect(emitted.map(({ msg }) => msg)).toMatchObject([
      { type: "thread_queue_changed", change: { type: "added", input: input("a") } },
      { change: { type: "added", input: input("b") } },
      { change: { type: "updated", id: "a", items: items("new") } },
      { change: { type: "reordered", ids: ["b", "a"] } },
      { change: { type: "removed", id: "b" } },
      { change: { type: "started", id: "a", turn_id: "turn-1" } },
    ]);
    expect(order()).toEqual([]);
    expect(queue.isEmpty).toBe(true);
  });

  test.each([
    [["c", "b", "a"], true],
    [["a", "b", "c"], true],
    [["a", "b"], false],
    [["a", "b", "b"], false],
    [["a", "b", "c", "c"], false],
    [["a", "b", "x"], false],
    [["a", "b", "c", "x"], false],
    [[], false],
  ])("the order %j of three is accepted: %s", (ids, isAccepted) => {
    const { queue, order, emitted } = createQueue("a", "b", "c");
    if (isAccepted) {
      queue.reorder(ids);
      expect(order()).toEqual(ids);
      return;
    }
    expect(() => queue.reorder(ids)).toThrow(
      "queue reorder must include every queued submission exactly once",
    );
    expect(order()).toEqual(["a", "b", "c"]);
    expect(emitted).toEqual([]);
  });

  test("removing what is not queued is no event", () => {
    const { queue, emitted, order } = createQueue("a");
    queue.remove("x");
    queue.remove("");

    expect(order()).toEqual(["a"]);
    expect(emitted).toEqual([]);
  });

  test.each([
    [undefined, "a"],
    ["b", "b"],
  ])("the input %s is found", (id, expected) => {
    expect(createQueue("a", "b").queue.find(id).id).toBe(expected);
  });

  test("input that there is not has an error of its own", () => {
    expect(() => createQueue().queue.find()).toThrow("queue is empty");
    expect(() => createQueue("a").queue.find("x")).toThrow("queued submission not found: x");
    expect(() => createQueue("a").queue.update("x", items("y"))).toThrow("not found: x");
  });

  test("empty input is neither added nor put in place of other input", () => {
    const { queue, emitted } = createQueue("a");

    expect(() => queue.add({ ...input("b"), items: [] })).toThrow("only user input can be added");
    expect(() => queue.update("a", [])).toThrow("only user input can be added");
    expect(() => assertInput([])).toThrow(expect.objectContaining({ code: "invalid_request" }));
    expect(emitted).toEqual([]);
  });

  test("input whose turn has not begun returns to the front, once", () => {
    const { queue, order, emitted } = createQueue("a", "b");
    queue.take(queue.find("b"), "turn-1");
    queue.returnUnstarted();
    queue.returnUnstarted();

    expect(order()).toEqual(["b", "a"]);
    expect(emitted).toHaveLength(2);
  });

  test("clearing removes each input with an event", () => {
    const { queue, emitted } = createQueue("a", "b");
    queue.clear();
    queue.clear();

    expect(queue.isEmpty).toBe(true);
    expect(emitted).toHaveLength(2);
  });
});
