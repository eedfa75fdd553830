import { expect, test } from "vitest";
import {
  findEventProblem,
  parseEvent,
  parseHistoryEntry,
  parseResponseItem,
  parseRolloutLine,
  parseSubmission,
} from "../../../src/protocol/read/index.js";
import { explainMissingTraces, hasTraces, readTraces } from "../shared.js";

test("the traces exist, or their absence is reported", () => {
  explainMissingTraces();
});

test.skipIf(!hasTraces)("every submission that a client sent is read as it was meant", () => {
  const sent = readTraces("proto").filter(
    ({ dir, msg }) => dir === "in" && !("$text" in Object(msg)),
  );
  const refused: unknown[] = [];
  let read = 0;

  for (const { msg } of sent) {
    if ("$eof" in Object(msg)) continue;
    try {
      expect(parseSubmission(msg)).toMatchObject(msg as object);
      read += 1;
    } catch (error) {
      refused.push([msg, (error as { code?: string }).code]);
    }
  }

  expect(read).toBeGreaterThan(150);
  expect(refused).toEqual([
    [{ id: "u1", op: { type: "make_coffee" } }, "unknown_op"],
    [{ op: { type: "interrupt" } }, "invalid_request"],
  ]);
});

test.skipIf(!hasTraces).each(["proto", "mcp", "app-server-v1", "app-server"])(
  "every event that the %s server sent is read and then fits its schema",
  (folder) => {
    const events = readTraces(folder)
      .filter(({ dir }) => dir === "out")
      .flatMap(({ file, msg }) => eventsIn(msg).map((event) => ({ file, event })));

    for (const { file, event } of events) {
      const problem = findEventProblem(parseEvent(event));
      expect(problem, `${file}: ${JSON.stringify(event)}`).toBeUndefined();
    }

    expect(events.length).toBeGreaterThan(100);
  },
);

test.skipIf(!hasTraces)("every rollout line of a known kind is read", () => {
  const lines = readTraces("rollout").filter((line) => line.dir !== "meta") as unknown as Record<
    string,
    unknown
  >[];
  const unknown = new Set<unknown>();

  for (const { file, ...line } of lines) {
    try {
      const { timestamp, type } = parseRolloutLine(line);
      expect({ timestamp, type }).toEqual({ timestamp: line.timestamp, type: line.type });
    } catch (error) {
      expect((error as { code: string }).code, `${String(file)}: ${String(error)}`).toBe(
        "unsupported",
      );
      unknown.add(line.type);
    }
  }

  expect(lines.length).toBeGreaterThan(300);
  expect([...unknown].sort()).toEqual(["token_usage_record", "world_state"]);
});

test.skipIf(!hasTraces)("every line of the message history is read", () => {
  const lines = readTraces("history") as unknown as { session_id: string }[];

  for (const line of lines) {
    expect(parseHistoryEntry(line)).toMatchObject({ conversation_id: line.session_id });
  }

  expect(lines.length).toBeGreaterThan(3);
});

test.skipIf(!hasTraces)("every item that a client sent to the model is read without loss", () => {
  const items = readTraces("proto")
    .filter(({ dir }) => dir === "model_request")
    .flatMap(
      ({ msg }) => (msg as { body: { input?: Record<string, unknown>[] } }).body.input ?? [],
    );

  for (const item of items) {
    expect(parseResponseItem(item)).toEqual(item);
  }

  expect(items.length).toBeGreaterThan(300);
});

/** Events are sent alone, or in notifications of a JSON-RPC server. */
function eventsIn(msg: unknown): unknown[] {
  const { id, msg: inner, method, params } = Object(msg) as Record<string, unknown>;
  if (typeof id === "string" && inner !== undefined) return [msg];
  return typeof method === "string" && method.startsWith("codex/event") ? [params] : [];
}
