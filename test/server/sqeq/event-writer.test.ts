import { expect, test } from "vitest";
import { type EraName, eraNamed } from "../../../src/compat/index.js";
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

test("by default an event is written without its thread, turn and item", () => {
  const written = write("standard", "current", [of({ type: "agent_message", message: "hi" }, "m")]);

  expect(written).toEqual([{ id: "1", msg: { type: "agent_message", message: "hi" } }]);
});

test("[documents D9] by default each message delta is also written with its item", () => {
  const delta = of({ type: "agent_message_delta", delta: "h" }, "m");

  expect(write("standard", "current", [delta])).toEqual([
    { id: "1", msg: { type: "agent_message_delta", delta: "h" } },
    {
      id: "1",
      msg: { type: "agent_message_content_delta", ...place, item_id: "m", delta: "h" },
    },
  ]);
  for (const era of ["0.39", "0.104", "0.166"] as const) {
    expect(write("standard", era, [delta])).toHaveLength(1);
  }
});

test("with `all`, items are written, and each delta with its item", () => {
  const item = { type: "AgentMessage" as const, id: "m", content: [] };
  const written = write("all", "current", [
    of({ type: "item_started", ...place, item }, "m"),
    { ...of({ type: "agent_reasoning_delta", delta: "Th" }, "r"), part: 1 },
    of({ type: "agent_message_delta", delta: "h" }, "m"),
  ]);

  expect(written.map(({ msg }) => msg)).toEqual([
    { type: "item_started", ...place, item },
    { type: "agent_reasoning_delta", delta: "Th" },
    { type: "reasoning_content_delta", ...place, item_id: "r", delta: "Th", summary_index: 1 },
    { type: "agent_message_delta", delta: "h" },
    { type: "agent_message_content_delta", ...place, item_id: "m", delta: "h" },
  ]);
  expect(written.map((event) => findEventProblem(event)).filter(Boolean)).toEqual([]);
});

test("by default only plans are written as items", () => {
  const message = { type: "AgentMessage" as const, id: "m", content: [] };
  const plan = { type: "Plan" as const, id: "p", text: "" };
  const written = write("standard", "current", [
    of({ type: "item_started", ...place, item: message }),
    of({ type: "item_started", ...place, item: plan }),
  ]);

  expect(written.map(({ msg }) => msg)).toEqual([{ type: "item_started", ...place, item: plan }]);
});

test("events of 2026 contain the turn id", () => {
  const started = { type: "task_started", model_context_window: null } as const;
  const written = write("standard", "0.104", [
    of(started),
    { ...of({ type: "agent_reasoning_section_break" }, "r"), part: 2 },
  ]);

  expect(written.map(({ msg }) => msg)).toEqual([
    { ...started, turn_id: "turn" },
    { type: "agent_reasoning_section_break", item_id: "r", summary_index: 2 },
  ]);
});

test("events of 2025 have the shapes of the era", () => {
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

test("[documents D2] the response of each step is written only with `all`", () => {
  const step = of({ type: "step_complete", response_id: "resp_0" });

  const eras = ["current", "0.39", "0.104", "0.166"] as const;
  expect(eras.flatMap((era) => write("standard", era, [step]))).toEqual([]);
  expect(write("all", "current", [step]).map(({ msg }) => msg)).toEqual([step.msg]);
});

test("a question of a helper agent names its thread and path", () => {
  const msg = {
    type: "exec_approval_request",
    call_id: "c",
    command: ["ls"],
    cwd: "/",
  } as EventMsg;
  const [written] = write("standard", "current", [{ ...of(msg), agent_path: "/root/a" }]);

  expect(written).toMatchObject({ id: "1", thread_id: "thread", agent_path: "/root/a" });
});
