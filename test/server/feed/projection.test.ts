import { expect, test } from "vitest";
import type { EventMsg } from "../../../src/protocol/types.js";
import { createProjection, started } from "./projected.js";

const begin = { type: "exec_command_begin", call_id: "c1", command: ["ls"], cwd: "/" } as EventMsg;
const output = (chunk: Buffer, call_id = "c1") =>
  ({
    type: "exec_command_output_delta",
    call_id,
    stream: "stdout",
    chunk: chunk.toString("base64"),
  }) as EventMsg;
const end = {
  type: "exec_command_end",
  call_id: "c1",
  exit_code: 0,
  aggregated_output: "a",
  stdout: "a",
  stderr: "",
  duration: { secs: 0, nanos: 0 },
} as unknown as EventMsg;

test("an item starts once and completes with its start time", () => {
  const { project } = createProjection();

  const sent = project(started, begin, begin, end);

  const items = sent.filter(({ method }) => method.startsWith("item/"));
  expect(items.map(({ method }) => method)).toEqual(["item/started", "item/completed"]);
  expect(items[1]).toMatchObject({
    params: { turnId: "u", item: { id: "c1", status: "completed", exitCode: 0, cwd: "/" } },
  });
});

test("a declined command completes at once, and its end is not reported again", () => {
  const { project, projection } = createProjection();
  project(started, begin);

  projection.declineItem("c1", "u", "declined");
  const later = project(end);

  expect(projection.openItems.size).toBe(0);
  expect(later).toEqual([]);
});

test("a character that two chunks share is reported whole", () => {
  const { project } = createProjection();
  project(started, begin);
  const bytes = Buffer.from("aé");

  const sent = project(output(bytes.subarray(0, 2)), output(bytes.subarray(2)));

  expect(sent.map(({ params }) => (params as { delta: string }).delta)).toEqual(["a", "é"]);
});

test("a chunk without a complete character is not reported", () => {
  const { project } = createProjection();
  project(started, begin);

  expect(project(output(Buffer.from("é").subarray(0, 1)))).toEqual([]);
});

test("output of a patch has the method of file changes", () => {
  const { project } = createProjection();
  const patch = { type: "patch_apply_begin", call_id: "p1", changes: {}, auto_approved: true };
  project(started, patch as EventMsg);

  const [sent] = project(output(Buffer.from("done"), "p1"));

  expect(sent).toMatchObject({ method: "item/fileChange/outputDelta", params: { itemId: "p1" } });
});

test("a status is reported only if it changes", () => {
  const { project, projection } = createProjection();

  const first = project(started).filter(({ method }) => method === "thread/status/changed");
  projection.status = { type: "active", activeFlags: [] };
  const again = project();

  expect([first.length, again.length]).toEqual([1, 0]);
});

test("a user message has the id that its client gave it, at its start and its end", () => {
  const { project } = createProjection();
  const content = [{ type: "text", text: "hi" }];
  const item = { type: "UserMessage", id: "m1", content, client_id: "client-1" };

  const sent = project(
    { type: "item_started", item } as EventMsg,
    { type: "item_completed", item } as EventMsg,
  );

  expect(sent).toMatchObject([
    { method: "item/started", params: { item: { clientId: "client-1" } } },
    { method: "item/completed", params: { item: { clientId: "client-1" } } },
  ]);
});

test.each<[EventMsg, string, object]>([
  [{ type: "agent_message_delta", delta: "a" }, "item/agentMessage/delta", { delta: "a" }],
  [
    { type: "agent_reasoning_delta", delta: "b" },
    "item/reasoning/summaryTextDelta",
    { delta: "b", summaryIndex: 0 },
  ],
  [
    { type: "agent_reasoning_raw_content_delta", delta: "c" },
    "item/reasoning/textDelta",
    { delta: "c", contentIndex: 0 },
  ],
  [
    { type: "agent_reasoning_section_break" } as EventMsg,
    "item/reasoning/summaryPartAdded",
    { summaryIndex: 0 },
  ],
])("%j is reported as %s", (msg, method, params) => {
  const { project } = createProjection();

  expect(project(msg)).toEqual([
    { method, params: { threadId: "t", turnId: "u", itemId: "i", ...params } },
  ]);
});

test.each<[EventMsg, string, object]>([
  [{ type: "warning", message: "slow" }, "warning", { threadId: "t", message: "slow" }],
  [
    { type: "thread_name_updated", thread_name: "work" } as unknown as EventMsg,
    "thread/name/updated",
    { threadId: "t", threadName: "work" },
  ],
  [
    {
      type: "mcp_startup_update",
      server: "files",
      status: { state: "failed", error: "no such program" },
    } as EventMsg,
    "mcpServer/startupStatus/updated",
    {
      threadId: "t",
      name: "files",
      status: "failed",
      error: "no such program",
      failureReason: null,
    },
  ],
])("%j is reported as %s", (msg, method, params) => {
  const { project } = createProjection();

  expect(project(msg)).toEqual([{ method, params }]);
});

test("events without a projection are not reported", () => {
  const { project } = createProjection();

  expect(project({ type: "submission_accepted" } as EventMsg)).toEqual([]);
});

test("token usage and rate limits are reported separately", () => {
  const { project } = createProjection();
  const usage = {
    input_tokens: 3,
    cached_input_tokens: 1,
    output_tokens: 2,
    reasoning_output_tokens: 0,
    total_tokens: 5,
  };

  const sent = project({
    type: "token_count",
    info: { total_token_usage: usage, last_token_usage: usage, model_context_window: 100 },
    rate_limits: { primary: { used_percent: 12.4, window_minutes: 60 } },
  } as EventMsg);

  expect(sent).toMatchObject([
    {
      method: "thread/tokenUsage/updated",
      params: { turnId: "u", tokenUsage: { total: { totalTokens: 5 }, modelContextWindow: 100 } },
    },
    {
      method: "account/rateLimits/updated",
      params: {
        rateLimits: {
          primary: { usedPercent: 12, windowDurationMins: 60, resetsAt: null },
          secondary: null,
        },
      },
    },
  ]);
});
