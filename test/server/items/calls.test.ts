import { expect, test } from "vitest";
import type {
  ExecCommandBeginEvent,
  ExecCommandEndEvent,
  McpToolCallEndEvent,
  PatchApplyEndEvent,
} from "../../../src/protocol/types.js";
import {
  endedCommand,
  endedFileChange,
  endedMcpCall,
  startedCommand,
  startedMcpCall,
  toDynamicCall,
  toFileUpdateChanges,
} from "../../../src/server/items/calls.js";

const begin = {
  type: "exec_command_begin",
  call_id: "c1",
  command: ["cat", "a b"],
  cwd: "/project",
  parsed_cmd: [{ type: "read", cmd: "cat 'a b'", name: "a b" }],
} as unknown as ExecCommandBeginEvent;

const end = {
  type: "exec_command_end",
  call_id: "c1",
  exit_code: 0,
  aggregated_output: "text",
  duration: { secs: 1, nanos: 500_000_000 },
} as unknown as ExecCommandEndEvent;

test("a command that starts is quoted, and its paths are absolute", () => {
  expect(startedCommand(begin)).toMatchObject({
    id: "c1",
    command: "cat 'a b'",
    cwd: "/project",
    source: "agent",
    status: "inProgress",
    commandActions: [{ type: "read", command: "cat 'a b'", name: "a b", path: "/project/a b" }],
    exitCode: null,
  });
});

test.each([
  ["agent", "agent"],
  ["user_shell", "userShell"],
  ["unified_exec_startup", "unifiedExecStartup"],
  ["unified_exec_interaction", "unifiedExecInteraction"],
] as const)("the source %s is %s in v2", (source, shown) => {
  expect(startedCommand({ ...begin, source }).source).toBe(shown);
});

test("the end of a command completes its start", () => {
  expect(endedCommand(end, startedCommand(begin))).toMatchObject({
    command: "cat 'a b'",
    cwd: "/project",
    status: "completed",
    commandActions: [{ type: "read" }],
    aggregatedOutput: "text",
    exitCode: 0,
    durationMs: 1500,
  });
});

test.each([
  [{ exit_code: 1 }, { status: "failed" }],
  [{ exit_code: 1, status: "declined" }, { status: "declined" }],
  [{ aggregated_output: "" }, { aggregatedOutput: null }],
  [
    { command: ["ls"], cwd: "/", parsed_cmd: [{ type: "list_files", cmd: "ls" }] },
    { command: "ls", commandActions: [{ type: "listFiles", command: "ls", path: null }] },
  ],
])("an end with %j has %j", (fields, shown) => {
  expect(endedCommand({ ...end, ...fields } as ExecCommandEndEvent, undefined)).toMatchObject(
    shown,
  );
});

test("file changes are sorted by path, and a move is named", () => {
  const changes = toFileUpdateChanges({
    "/b": { type: "update", unified_diff: "-a\n+b", move_path: "/c" },
    "/a": { type: "add", content: "new" },
    "/d": { type: "delete", content: "old" },
  });

  expect(changes).toEqual([
    { path: "/a", kind: { type: "add" }, diff: "new" },
    {
      path: "/b",
      kind: { type: "update", move_path: "/c" },
      diff: "-a\n+b\n\nMoved to: /c",
    },
    { path: "/d", kind: { type: "delete" }, diff: "old" },
  ]);
});

test.each([
  [{ success: true }, "completed"],
  [{ success: false }, "failed"],
  [{ success: false, status: "declined" }, "declined"],
])("a patch that ended with %j is %s", (fields, status) => {
  const msg = { type: "patch_apply_end", call_id: "p1", ...fields } as PatchApplyEndEvent;

  expect(endedFileChange(msg, undefined)).toEqual({
    type: "fileChange",
    id: "p1",
    changes: [],
    status,
  });
});

const call = {
  type: "mcp_tool_call_end",
  call_id: "m1",
  invocation: { server: "files", tool: "read", arguments: { path: "/a" } },
  duration: { secs: 0, nanos: 2_000_000 },
};

test.each([
  ["connection lost", { status: "failed", error: { message: "connection lost" }, result: null }],
  [
    { content: [], isError: true },
    { status: "failed", error: null, result: { content: [] } },
  ],
  [
    { content: [{ type: "text", text: "a" }], structuredContent: { a: 1 } },
    { status: "completed", result: { structuredContent: { a: 1 }, _meta: null } },
  ],
])("an MCP call with the result %j has %j", (result, shown) => {
  const ended = endedMcpCall({ ...call, result } as unknown as McpToolCallEndEvent);

  expect(ended).toMatchObject({ server: "files", tool: "read", durationMs: 2, ...shown });
});

test("an MCP call without arguments has `null`", () => {
  const invocation = { server: "files", tool: "list" };
  const started = startedMcpCall({
    ...call,
    type: "mcp_tool_call_begin",
    invocation,
  } as unknown as Parameters<typeof startedMcpCall>[0]);

  expect(started).toMatchObject({ arguments: null, readOnlyHint: null, status: "inProgress" });
});

test.each([
  [{ type: "dynamic_tool_call_request" }, { status: "inProgress", success: null }],
  [
    { type: "dynamic_tool_call_response", contentItems: [], success: true, durationMs: 3 },
    { status: "completed", success: true, durationMs: 3 },
  ],
  [
    { type: "dynamic_tool_call_response", contentItems: [], success: false, durationMs: 3 },
    { status: "failed", success: false },
  ],
])("a client tool call with %j has %j", (fields, shown) => {
  const msg = { callId: "d1", tool: "add", arguments: {}, ...fields };

  expect(toDynamicCall(msg as unknown as Parameters<typeof toDynamicCall>[0])).toMatchObject({
    id: "d1",
    namespace: null,
    ...shown,
  });
});
