import { expect, test } from "vitest";
import type { RolloutItem } from "../../../src/protocol/types.js";
import { type RebuiltTurn, readTurns, TurnBuilder } from "../../../src/rollout/index.js";
import { event, line, meta, said, temporaryHome } from "../support.js";

function rebuild(lines: object[]): readonly RebuiltTurn[] {
  const builder = new TurnBuilder();
  for (const one of lines) builder.add(one as RolloutItem);
  return builder.turns;
}

/** Summarizes turns: id, status, and the id and text of each item. */
function brief(turns: readonly RebuiltTurn[]): unknown[] {
  return turns.map(({ id, status, items }) => [
    id,
    status,
    ...items.map((item) => {
      switch (item.type) {
        case "UserMessage":
          return `${item.id} user ${item.content.map((part) => part.type).join("+")}`;
        case "AgentMessage":
          return `${item.id} agent ${item.content.map(({ text }) => text).join("")}`;
        case "Reasoning":
          return `${item.id} reasoning ${item.summary_text.join("|")} ${item.raw_content?.join("|")}`;
        case "Event":
          return `${item.id} ${item.msg.type}`;
        default:
          return `${item.id} ${item.type}`;
      }
    }),
  ]);
}

test("a turn starts with a user message if there is no start event", () => {
  const turns = rebuild([
    ...said("user", "one"),
    event("agent_reasoning", { text: "a" }),
    event("agent_reasoning", { text: "b" }),
    event("agent_reasoning_raw_content", { text: "raw" }),
    ...said("assistant", "two"),
    event("agent_reasoning", { text: "c" }),
    event("user_message", { message: "<environment_context></environment_context>" }),
    ...said("user", "three"),
    event("turn_aborted", { reason: "interrupted" }),
    ...said("user", "four"),
  ]);

  expect(brief(turns)).toEqual([
    [
      "turn-1",
      "completed",
      "item-1 user text",
      "item-2 reasoning a|b raw",
      "item-3 agent two",
      "item-4 reasoning c ",
    ],
    ["turn-2", "interrupted", "item-5 user text"],
    ["turn-3", "completed", "item-6 user text"],
  ]);
});

test("turns with a start event keep their ids and contain all items until their end", () => {
  const turns = rebuild([
    event("task_started", { turn_id: "t1" }),
    ...said("user", "one"),
    event("user_message", { message: "", images: ["u"], local_images: ["/p"] }),
    event("exec_command_end", { call_id: "c1" }),
    event("task_complete", { turn_id: "t1" }),
    event("task_started", { turn_id: "t2" }),
    line("compacted", { message: "S" }),
    event("context_compacted"),
    event("task_complete", { turn_id: "t2" }),
    event("task_started", { turn_id: "t3" }),
    event("entered_review_mode", {}),
    event("error", { message: "no more" }),
    event("task_complete", { turn_id: "t3" }),
    event("task_started", { turn_id: "t4" }),
    ...said("user", "killed here"),
  ]);

  expect(brief(turns)).toEqual([
    ["t1", "completed", "item-1 user text", "item-2 user image+local_image", "c1 exec_command_end"],
    ["t2", "completed", "item-3 ContextCompaction"],
    ["t3", "failed", "item-4 entered_review_mode"],
    ["t4", "interrupted", "item-5 user text"],
  ]);
  expect(turns[2]?.error).toBe("no more");
});

test("a review logged before its turn is the start of that turn", () => {
  const item = { type: "EnteredReviewMode", id: "e", user_facing_hint: "all" };
  const turns = rebuild([
    event("entered_review_mode", { item_id: "r" }),
    event("task_started", { turn_id: "t1" }),
    event("exited_review_mode", {}),
    event("task_complete", { turn_id: "t1" }),
    event("item_completed", { thread_id: "t", turn_id: "t2", item }),
    event("task_started", { turn_id: "of the reviewer" }),
    event("task_complete", { turn_id: "t2" }),
    event("entered_review_mode", {}),
    event("task_started", { turn_id: "t3" }),
  ]);

  expect(brief(turns)).toEqual([
    ["t1", "completed", "r entered_review_mode", "item-2 exited_review_mode"],
    ["t2", "completed", "e item_completed"],
    ["t3", "interrupted", "item-3 entered_review_mode"],
  ]);
});

test("a compaction is one item, however many lines record it", () => {
  const item = { type: "ContextCompaction", id: "c" };
  const turns = rebuild([
    event("task_started", { turn_id: "t1" }),
    line("compacted", { message: "S" }),
    event("item_completed", { thread_id: "t", turn_id: "t1", item }),
    event("agent_message", { message: "Compact task completed" }),
    event("task_complete", { turn_id: "t1" }),
    event("task_started", { turn_id: "t2" }),
    line("compacted", { message: "S" }),
    event("context_compacted"),
    line("compacted", { message: "S" }),
    event("agent_message", { message: "Compact task completed" }),
    event("task_complete", { turn_id: "t2" }),
    ...said("assistant", "Compact task completed"),
  ]);

  expect(brief(turns)).toEqual([
    ["t1", "completed", "c ContextCompaction"],
    ["t2", "completed", "item-1 ContextCompaction", "item-2 ContextCompaction"],
    ["turn-3", "completed", "item-3 agent Compact task completed"],
  ]);
});

test("turns that were taken back are gone, and numbers are used again", () => {
  const turns = rebuild([
    ...said("user", "one"),
    ...said("assistant", "two"),
    ...said("user", "three"),
    event("thread_rolled_back", { num_turns: 1 }),
    ...said("user", "four"),
    event("thread_rolled_back", { num_turns: 9 }),
    ...said("user", "five"),
  ]);

  expect(brief(turns)).toEqual([["turn-1", "completed", "item-1 user text"]]);
});

test("the turns of a file are read without holding the rest of it", async () => {
  await using home = await temporaryHome();
  const item = { type: "AgentMessage", id: "msg", content: [{ type: "Text", text: "hi" }] };
  const place = { thread_id: "t", turn_id: "u" };
  const path = home.write("r.jsonl", [
    meta(),
    event("task_started", { turn_id: "u" }),
    event("item_completed", { ...place, item }),
    event("item_completed", { ...place, item: { type: "Plan", id: "p", text: "" } }),
    event("item_completed", { ...place, item: { type: "FileChange", id: "f", changes: {} } }),
    "{torn",
  ]);

  const { turns, warnings } = await readTurns(path);

  expect(brief(turns)).toEqual([["u", "interrupted", "msg agent hi", "f item_completed"]]);
  expect(warnings).toHaveLength(1);
});
