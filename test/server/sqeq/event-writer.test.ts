import { expect, test } from "vitest";
import { type EraName, eraNamed } from "../../../src/protocol/era.js";
import { findEventProblem } from "../../../src/protocol/read/event.js";
import type { Event, EventMsg } from "../../../src/protocol/types.js";
import { EventWriter } from "../../../src/server/sqeq/event-writer.js";

const place = { thread_id: "thread", turn_id: "turn" };

function write(events: "standard" | "all", era: EraName, all: Event[]): Event[] {
  const found = eraNamed(era);
  if (found === undefined) throw new Error(era);
  const writer = new EventWriter({ events, era: found });
  const written: Event[] = [];
  for (const event of all) writer.write(event, (message) => written.push(message as Event));
  return written;
}

const of = (msg: EventMsg, item_id?: string): Event => ({
  id: "1",
  msg,
  ...place,
  ...(item_id === undefined ? {} : { item_id }),
});

test("by default an event is written as the documents have it, without its place", () => {
  const written = write("standard", "current", [of({ type: "agent_message", message: "hi" }, "m")]);

  expect(written).toEqual([{ id: "1", msg: { type: "agent_message", message: "hi" } }]);
});

test("clients that ask for all also get items and content deltas, each once and in order", () => {
  const written = write("all", "current", [
    of({ type: "user_message", message: "go" }, "u"),
    of({ type: "agent_reasoning_delta", delta: "Th" }, "r"),
    of({ type: "agent_reasoning", text: "Thinking" }, "r"),
    of({ type: "agent_message_delta", delta: "h" }, "m"),
    of({ type: "agent_message_delta", delta: "i" }, "m"),
    of({ type: "agent_message", message: "hi" }, "m"),
  ]);

  expect(written.map(({ msg }) => msg.type)).toEqual([
    "item_started",
    "user_message",
    "item_completed",
    "item_started",
    "agent_reasoning_delta",
    "reasoning_content_delta",
    "agent_reasoning",
    "item_completed",
    "item_started",
    "agent_message_delta",
    "agent_message_content_delta",
    "agent_message_delta",
    "agent_message_content_delta",
    "agent_message",
    "item_completed",
  ]);
  expect(written.map((event) => findEventProblem(event)).filter(Boolean)).toEqual([]);
  expect(written[7]?.msg).toEqual({
    type: "item_completed",
    ...place,
    item: { type: "Reasoning", id: "r", summary_text: ["Thinking"], raw_content: [] },
  });
});

test("clients of 2025 get the shapes of their time", () => {
  const changes = { "/a": { type: "add", content: "x" } } as const;
  const written = write("standard", "0.42", [
    of({ type: "user_message", message: "go" }),
    of({ type: "patch_apply_begin", call_id: "c", auto_approved: true, changes }),
    of({ type: "task_complete", last_agent_message: null, response_id: "r" }),
  ]);

  expect(written.map(({ msg }) => msg)).toEqual([
    {
      type: "patch_apply_begin",
      call_id: "c",
      auto_approved: true,
      changes: { "/a": { add: { content: "x" } } },
    },
    { type: "task_complete", last_agent_message: null },
  ]);
});
