import { expect, test } from "vitest";
import { eraOf } from "../../../src/compat/index.js";
import type { Event } from "../../../src/protocol/types.js";
import {
  EventNotifications,
  mergeDeltas,
  patchOutput,
  withItem,
} from "../../../src/server/feed/legacy.js";

const event = (msg: object): Event =>
  ({ id: "s", thread_id: "t", turn_id: "u", item_id: "i", part: 2, msg }) as Event;
const named = { thread_id: "t", turn_id: "u", item_id: "i", delta: "a" };

test.each([
  [
    { type: "agent_message_delta", delta: "a" },
    { type: "agent_message_content_delta", ...named },
  ],
  [
    { type: "agent_reasoning_delta", delta: "a" },
    { type: "reasoning_content_delta", ...named, summary_index: 2 },
  ],
  [
    { type: "agent_reasoning_raw_content_delta", delta: "a" },
    { type: "reasoning_raw_content_delta", ...named, content_index: 2 },
  ],
])("%j is repeated as %j", (msg, repeated) => {
  expect(withItem(event(msg))?.msg).toEqual(repeated);
});

test("events that are not text deltas are not repeated", () => {
  expect(withItem(event({ type: "task_started" }))).toBeUndefined();
});

test("the summary of an applied patch is command output", () => {
  const end = { type: "patch_apply_end", call_id: "p1", success: true, stdout: "Done." };

  const output = patchOutput(event(end));

  expect(output?.msg).toEqual({
    type: "exec_command_output_delta",
    call_id: "p1",
    stream: "stdout",
    chunk: Buffer.from("Done.").toString("base64"),
  });
});

test.each([
  { type: "patch_apply_end", call_id: "p1", success: false, stdout: "Failed." },
  { type: "patch_apply_end", call_id: "p1", success: true, stdout: "" },
  { type: "exec_command_end", call_id: "c1" },
])("%j has no output", (msg) => {
  expect(patchOutput(event(msg))).toBeUndefined();
});

test("an event is converted once for all recipients, and again for the next event", () => {
  const notifications = new EventNotifications(eraOf("current"));
  const first = event({ type: "warning", message: "slow" });

  const [one, same] = [notifications.of(first, "t"), notifications.of(first, "t")];
  const other = notifications.of(event({ type: "warning", message: "slow" }), "t");

  expect(one?.content).toMatchObject({
    method: "codex/event/warning",
    params: { id: "s", conversationId: "t", msg: { type: "warning", message: "slow" } },
  });
  expect(same).toBe(one);
  expect(other).not.toBe(one);
});

test("an event that the era hides is not converted", () => {
  const notifications = new EventNotifications(eraOf("0.39"));
  const shown = event({ type: "submission_accepted" });

  expect(notifications.of(shown, "t")).toBeUndefined();
});

const delta = (text: string, { id = "s", type = "agent_message_delta", thread = "t" } = {}) => ({
  method: `codex/event/${type}`,
  params: { id, msg: { type, delta: text }, conversationId: thread },
});

test("deltas of one message are merged", () => {
  expect(mergeDeltas(delta("a"), delta("b"))).toEqual(delta("ab"));
});

test.each([
  ["another submission", delta("b", { id: "x" })],
  ["another thread", delta("b", { thread: "x" })],
  ["another type", delta("b", { type: "agent_reasoning_delta" })],
])("a delta of %s is not merged", (_, next) => {
  expect(mergeDeltas(delta("a"), next)).toBeUndefined();
});

test("events that are not deltas are not merged", () => {
  const warning = delta("a", { type: "warning" });

  expect(mergeDeltas(warning, warning)).toBeUndefined();
});
