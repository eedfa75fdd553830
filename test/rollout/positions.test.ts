import { expect, test } from "vitest";
import type { EventMsg, ResponseItem } from "../../src/protocol/types.js";
import { Bookmarks, TurnMarks } from "../../src/rollout/positions.js";
import { message } from "./support.js";

/** Position of line `n`, ten bytes long. */
const at = (n: number) => ({ number: n, start: n * 10, end: n * 10 + 10 });
const call: ResponseItem = { type: "function_call", name: "f", arguments: "{}", call_id: "c" };
const output: ResponseItem = { type: "function_call_output", call_id: "c", output: "done" };

test("outputs of a response's calls belong to the response", () => {
  const bookmarks = new Bookmarks();
  bookmarks.afterItem(message("user", "hi"), 1, at(0));
  bookmarks.afterItem(call, 2, at(1));
  bookmarks.endResponse("r1", 2, at(2));
  bookmarks.afterItem(output, 3, at(3));
  bookmarks.afterItem(message("user", "next"), 4, at(4));
  bookmarks.afterItem(output, 5, at(5));

  expect(bookmarks.all.get("r1")).toEqual({ length: 3, end: 40 });
  expect(bookmarks.lastResponseId).toBe("r1");
});

test("a task that ends with an unrecorded response ends at the model's last item", () => {
  const bookmarks = new Bookmarks(2);
  bookmarks.afterItem(message("assistant", "hello"), 3, at(0));
  bookmarks.afterItem(message("user", "not answered"), 4, at(1));

  bookmarks.endTask("r1");

  expect(bookmarks.all.get("r1")).toEqual({ length: 3, end: 10 });
  expect(bookmarks.lastResponseId).toBe("r1");
});

test("a rollback keeps earlier bookmarks and clears the length of later ones", () => {
  const bookmarks = new Bookmarks();
  bookmarks.endResponse("r1", 2, at(0));
  bookmarks.endResponse("r2", 5, at(1));

  bookmarks.cut(2, at(2));

  expect([...bookmarks.all]).toEqual([
    ["r1", { length: 2, end: 10 }],
    ["r2", { length: undefined, end: 20 }],
  ]);
  expect(bookmarks.lastResponseId).toBeUndefined();
});

test("a compaction clears all lengths; a return to a response restores its own", () => {
  const compacted = new Bookmarks();
  compacted.endResponse("r1", 2, at(0));
  compacted.replace(1, at(1), undefined);

  const returned = new Bookmarks();
  returned.endResponse("r1", 2, at(0));
  returned.endResponse("r2", 4, at(1));
  returned.replace(2, at(2), "r1");

  expect(compacted.all.get("r1")?.length).toBeUndefined();
  expect(compacted.lastResponseId).toBeUndefined();
  expect(returned.all.get("r1")?.length).toBe(2);
  expect(returned.all.get("r2")?.length).toBeUndefined();
  expect(returned.lastResponseId).toBe("r1");
});

test("a return to a response of another thread adds its bookmark", () => {
  const bookmarks = new Bookmarks();

  bookmarks.replace(3, at(4), "elsewhere");

  expect(bookmarks.all.get("elsewhere")).toEqual({ length: 3, end: 50 });
});

const started = (id?: string) => ({ type: "task_started", turn_id: id }) as EventMsg;
const completed = (id?: string) => ({ type: "task_complete", turn_id: id }) as EventMsg;
const asked = (text: string) => ({ type: "user_message", message: text }) as EventMsg;

test("turns are marked from their start event to their end", () => {
  const marks = new TurnMarks();
  marks.event(started("t1"), at(0));
  marks.event(asked("hi"), at(1));
  marks.event(completed("t1"), at(2));
  marks.event(started("t2"), at(3));

  expect(marks.turns).toEqual([
    { id: "t1", start: 0, end: 30 },
    { id: "t2", start: 30, end: undefined },
  ]);
});

test("without start events, turns start with user messages and are numbered", () => {
  const marks = new TurnMarks();
  marks.userItem(at(0));
  marks.event(asked("one"), at(1));
  marks.userItem(at(4));
  marks.event(asked("two"), at(5));

  expect(marks.turns).toEqual([
    { id: "turn-1", start: 0, end: 40 },
    { id: "turn-2", start: 40, end: undefined },
  ]);
});

test("context that the engine adds starts no turn", () => {
  const marks = new TurnMarks();
  marks.event(asked("<environment_context>x</environment_context>"), at(0));

  expect(marks.turns).toEqual([]);
});

test("a review that precedes its turn belongs to it", () => {
  const marks = new TurnMarks();
  marks.event({ type: "entered_review_mode" } as EventMsg, at(0));
  marks.event(started("t1"), at(1));

  expect(marks.turns[0]?.start).toBe(0);
});

test("a user message is cut together with the line that starts its turn", () => {
  const marks = new TurnMarks();
  marks.event(started("t1"), at(0));
  marks.userItem(at(1));
  marks.userItem(at(5));

  expect(marks.userItems.map(({ start }) => start)).toEqual([0, 50]);
});

test("a rollback removes turns and user messages from the end", () => {
  const marks = new TurnMarks();
  for (const n of [0, 1, 2]) {
    marks.event(started(`t${n}`), at(n * 3));
    marks.userItem(at(n * 3 + 1));
    marks.event(completed(`t${n}`), at(n * 3 + 2));
  }

  marks.event({ type: "thread_rolled_back", num_turns: 2 } as EventMsg, at(9));

  expect(marks.turns.map(({ id }) => id)).toEqual(["t0"]);
  expect(marks.userItems).toHaveLength(1);
  marks.event({ type: "thread_rolled_back", num_turns: 7 } as EventMsg, at(10));
  expect(marks.turns).toEqual([]);
});
