import { describe, expect, test } from "vitest";
import { CodexError } from "../../../src/protocol/error.js";
import * as protocol from "../../../src/protocol/index.js";
import type { EventMsg } from "../../../src/protocol/types.js";
import { membersOf } from "./members.js";
import { events } from "./samples.js";

describe.each(membersOf(protocol.EventMsg))("the event $type", ({ type, required }) => {
  const sample = events[type as EventMsg["type"]];

  test("is read as it was sent and fits its schema", () => {
    const sent = JSON.parse(JSON.stringify({ id: "1", msg: sample })) as object;

    expect(protocol.parseEvent(sent)).toEqual(sent);
    expect(protocol.findEventProblem(sent)).toBeUndefined();
  });

  test.each(required)("without %s is refused with an error that names it", (field) => {
    const { [field]: _, ...rest } = sample as unknown as Record<string, unknown>;

    expect(problemOf(rest)).toEqual(["invalid_request", `event.${field}`]);
  });

  test.each(required)("with a wrong %s does not fit its schema", (field) => {
    const event = { id: "1", msg: { ...sample, [field]: [[true]] } };

    expect(protocol.findEventProblem(event)).toContain(`event.msg.${field}`);
  });
});

test("an event of an unknown type passes unchanged", () => {
  const event = { id: "1", msg: { type: "of_the_future", fields: [1] } };

  expect(protocol.parseEvent(event)).toEqual(event);
});

test.each([
  ["turn_started", "task_started"],
  ["turn_complete", "task_complete"],
])("the newer name %s is read as %s", (newer, type) => {
  expect(protocol.parseEventMsg({ type: newer, turn_id: "t" })).toEqual({ type, turn_id: "t" });
});

function problemOf(msg: unknown): unknown[] {
  try {
    protocol.parseEventMsg(msg);
  } catch (error) {
    if (error instanceof CodexError) return [error.code, error.data?.path];
  }
  return [];
}
