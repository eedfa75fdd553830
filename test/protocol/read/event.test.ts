import { describe, expect, test } from "vitest";
import {
  findEventProblem,
  parseEvent,
  parseEventMsg,
  parseFileChange,
} from "../../../src/protocol/read/index.js";

const begin = { type: "mcp_tool_call_end", call_id: "c", duration: { secs: 0, nanos: 0 } };
const invocation = { server: "s", tool: "t", arguments: null };

describe("every spelling is read as the one form", () => {
  test.each([
    [{ type: "turn_started" }, { type: "task_started" }],
    [
      { type: "turn_complete", last_agent_message: null, turn_id: "t" },
      { type: "task_complete", last_agent_message: null, turn_id: "t" },
    ],
    [
      { ...begin, invocation, result: { Ok: { content: [], is_error: true } } },
      { ...begin, invocation, result: { content: [], isError: true } },
    ],
    [
      { ...begin, invocation, result: { Err: "no" } },
      { ...begin, invocation, result: "no" },
    ],
    [
      { ...begin, invocation, result: { content: [], isError: null, structuredContent: null } },
      { ...begin, invocation, result: { content: [], structuredContent: null } },
    ],
    [
      {
        type: "patch_apply_begin",
        call_id: "c",
        auto_approved: true,
        changes: { a: { add: { content: "x" } } },
      },
      {
        type: "patch_apply_begin",
        call_id: "c",
        auto_approved: true,
        changes: { a: { type: "add", content: "x" } },
      },
    ],
    [
      {
        type: "get_history_entry_response",
        offset: 0,
        log_id: 1,
        entry: { session_id: "s", ts: 1, text: "t" },
      },
      {
        type: "get_history_entry_response",
        offset: 0,
        log_id: 1,
        entry: { conversation_id: "s", ts: 1, text: "t" },
      },
    ],
    [
      { type: "exec_approval_request", call_id: "c", command: [], cwd: "/", turn_id: null },
      { type: "exec_approval_request", call_id: "c", command: [], cwd: "/" },
    ],
  ])("%j", (sent, read) => {
    const event = parseEvent({ id: "1", msg: sent });

    expect(event).toEqual({ id: "1", msg: read });
    expect(findEventProblem(event)).toBeUndefined();
  });

  test("events inside session_configured too", () => {
    const session = { session_id: "s", model: "m", history_log_id: 0, history_entry_count: 0 };
    const sent = {
      type: "session_configured",
      ...session,
      rollout_path: "/r",
      sandbox_policy: { type: "read-only" },
      initial_messages: [{ type: "turn_started" }],
    };

    expect(parseEventMsg(sent)).toEqual({
      ...sent,
      sandbox_policy: { mode: "read-only" },
      initial_messages: [{ type: "task_started" }],
    });
  });
});

describe("events of a newer version", () => {
  test("comes through untouched when the event is not known", () => {
    const event = { id: "1", msg: { type: "hologram", result: { Ok: 1 }, nothing: null }, seq: 3 };

    expect(parseEvent(event)).toEqual(event);
  });

  test.each([
    { type: "turn_aborted", reason: "solar_flare" },
    { type: "mcp_startup_update", server: "s", status: { state: "sleeping" } },
    {
      type: "exec_command_begin",
      call_id: "c",
      command: [],
      cwd: "/",
      parsed_cmd: [{ type: "format", cmd: "fmt" }],
    },
  ])("comes through when only a word is not known: %j", (msg) => {
    expect(parseEventMsg(msg)).toEqual(msg);
    expect(findEventProblem({ id: "1", msg })).toBeDefined();
  });
});

test.each([
  [{ type: "agent_message" }, "msg.message is missing."],
  [{ type: "agent_message", message: 1 }, "msg.message must be a string, not 1."],
  [{ type: "plan_update", plan: [{ step: "a" }] }, "msg.plan[0].status is missing."],
  [{}, "msg must be an object whose type is a string."],
  [[], "msg must be an object whose type is a string."],
])("%j is refused", (msg, message) => {
  expect(() => parseEvent({ id: "1", msg })).toThrow(message);
});

test.each([null, [], { msg: {} }, { id: 1, msg: { type: "error", message: "m" } }])(
  "%j is not an event",
  (value) => {
    expect(() => parseEvent(value)).toThrow('An event must be an object: {"id": …, "msg": …}.');
  },
);

test("a file change of no kind is refused", () => {
  expect(() => parseFileChange({ rename: {} })).toThrow("change.type must be a string");
});
