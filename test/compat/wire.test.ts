import { expect, test } from "vitest";
import { type EraName, eventWireOf, wireOf } from "../../src/compat/index.js";
import type { EventMsg, SessionConfiguredEvent, TurnItem } from "../../src/protocol/types.js";

const item = {
  type: "mcpToolCall",
  id: "1",
  pluginId: null,
  readOnlyHint: true,
  startedAtMs: 1,
  result: { content: [], structuredContent: null, _meta: null },
};
const dynamicItem = { type: "dynamicToolCall", id: "2", tool: "lookup" };
const turn = {
  id: "t1",
  items: [dynamicItem, item],
  startedAt: 1,
  responseId: "r1",
  error: { message: "No", misalignment: null },
};
const completed = { threadId: "a", turn };

test("our newest form passes every value through, unchanged and uncopied", () => {
  const wire = wireOf("current");

  expect(wire.params("turn/completed", completed)).toBe(completed);
  expect(wire.result("thread/read", completed)).toBe(completed);
});

test("0.166 lacks only fields of our own form", () => {
  const { responseId: _, ...known } = turn;
  const wire = wireOf("0.166");

  expect(wire.params("turn/completed", completed)).toEqual({ threadId: "a", turn: known });
  expect(
    wire.result("initialize", { userAgent: "x", codexHome: "/h", serverInfo: { name: "q" } }),
  ).toEqual({ userAgent: "x", codexHome: "/h" });
  expect(wire.params("item/started", { item, threadId: "a" })).toEqual({ item, threadId: "a" });
});

test.each(["0.39", "0.42", "0.45", "0.104"] as const)("%s gets v2 in the form of 0.104", (era) => {
  expect(wireOf(era).params("turn/completed", completed)).toEqual({
    threadId: "a",
    turn: {
      id: "t1",
      items: [{ type: "mcpToolCall", id: "1", result: { content: [], structuredContent: null } }],
      error: { message: "No" },
    },
  });
});

test("a notification about an item that the era does not have is absent", () => {
  const params = { item: dynamicItem, threadId: "a", turnId: "t1", startedAtMs: 1 };

  expect(wireOf("0.104").params("item/started", params)).toBeUndefined();
  expect(wireOf("0.166").params("item/started", params)).toEqual(params);
});

test("an item of a Stop hook is complete in 0.166", () => {
  const fragments = [{ text: "go on", hookRunId: "stop:0:/h.json" }];
  const item = { type: "hookPrompt", id: "m", fragments, startedAtMs: 1, completedAtMs: null };
  const params = { item, threadId: "a", turnId: "t1", startedAtMs: 1 };

  expect(wireOf("0.166").params("item/started", params)).toEqual(params);
  expect(wireOf("0.104").params("item/started", params)).toBeUndefined();
});

test("policies of 0.104 state the read access, which later versions removed", () => {
  const opened = (sandbox: object) => ({ thread: { id: "a", name: null, turns: [] }, sandbox });
  const readOnly = opened({ type: "readOnly", networkAccess: false });
  const write = opened({ type: "workspaceWrite", writableRoots: [], networkAccess: true });
  const full = { type: "fullAccess" };
  const thread = { id: "a", turns: [] };

  const encode = (value: object) => wireOf("0.104").result("thread/start", value);

  expect(encode(readOnly)).toEqual({ thread, sandbox: { type: "readOnly", access: full } });
  expect(encode(write)).toEqual({
    thread,
    sandbox: {
      type: "workspaceWrite",
      writableRoots: [],
      networkAccess: true,
      readOnlyAccess: full,
    },
  });
  expect(wireOf("0.166").result("thread/start", write)).toEqual(write);
});

test("maps and requests of the server are encoded too", () => {
  const wire = wireOf("0.104");

  expect(
    wire.result("account/rateLimits/read", {
      accountId: "x",
      rateLimits: { limitId: "a", individualLimit: null },
      rateLimitsByLimitId: { a: { limitId: "a", normalModelSlug: null } },
    }),
  ).toEqual({ rateLimits: { limitId: "a" }, rateLimitsByLimitId: { a: { limitId: "a" } } });
  expect(
    wire.params("item/fileChange/requestApproval", { itemId: "1", startedAtMs: 1, reason: null }),
  ).toEqual({ itemId: "1", reason: null });
});

test.each([
  ["warning", false, true, true],
  ["thread/status/changed", false, true, true],
  ["thread/compacted", true, false, false],
  ["turn/started", true, true, true],
])("notification %s exists in 0.104: %s, 0.166: %s, current: %s", (method, ...expected) => {
  expect((["0.104", "0.166", "current"] as const).map((era) => wireOf(era).has(method))).toEqual(
    expected,
  );
});

test.each([
  ["collaborationMode/list", true, true],
  ["thread/start.dynamicTools", true, true],
  ["thread/start.permissions", false, true],
  ["thread/search", false, true],
  ["thread/start.model", false, false],
])("%s is experimental in 0.104: %s, 0.166: %s", (name, ...expected) => {
  expect((["0.104", "0.166"] as const).map((era) => wireOf(era).experimental.has(name))).toEqual(
    expected,
  );
  expect(wireOf("current").experimental).toEqual(wireOf("0.166").experimental);
});

test("methods and messages without dated parts pass through in every era", () => {
  const value = { anything: [1] };

  expect(wireOf("0.104").result("fs/readFile", value)).toBe(value);
  expect(wireOf("0.104").params("item/agentMessage/delta", value)).toBe(value);
});

const eras = ["0.39", "0.45", "0.104", "0.166", "current"] as const;

test.each<[EventMsg, hidden: readonly EraName[]]>([
  [{ type: "agent_message_delta", delta: "x" }, []],
  [{ type: "view_image_tool_call", call_id: "c", path: "/a" }, ["0.39", "0.45"]],
  [{ type: "submission_accepted" }, ["0.39", "0.45", "0.104", "0.166"]],
  [{ type: "mcp_tool_call_progress", call_id: "c", message: "" }, eras.slice(0, 4)],
  [{ type: "step_complete", response_id: "r" }, eras],
  [itemStarted({ type: "Plan", id: "p", text: "" }), []],
  [itemStarted({ type: "ContextCompaction", id: "c" }), ["0.39", "0.45", "current"]],
])("event %j is hidden in the eras %j", (msg, hidden) => {
  const found = eras.filter((era) => eventWireOf(era).encode(msg) === undefined);

  expect(found).toEqual(hidden);
});

test("fields of events are omitted in eras that do not have them", () => {
  const encode = (msg: EventMsg) => eras.map((era) => eventWireOf(era).encode(msg));
  const error = { type: "error", message: "No" } as const;
  const complete = { type: "task_complete", last_agent_message: null } as const;
  const found = { type: "web_search_end", call_id: "c", query: "q" } as const;
  const [withCode, marked] = [
    { ...error, codex_error_info: "other" },
    { ...complete, response_id: "r" },
  ];
  const searched = { ...found, action: { type: "other" } } as const;

  expect(encode(withCode)).toEqual([error, error, withCode, withCode, withCode]);
  expect(encode(marked)).toEqual([complete, complete, complete, complete, marked]);
  expect(encode(searched)).toEqual([found, found, searched, searched, found]);
});

test("events that an era has in full are neither changed nor copied", () => {
  const complete = { type: "task_complete", last_agent_message: null } as const;

  for (const era of eras) expect(eventWireOf(era).encode(complete)).toBe(complete);
});

test("replayed events are encoded too", () => {
  const replayed: EventMsg[] = [
    { type: "agent_message", message: "hi", phase: "commentary" },
    { type: "submission_accepted" },
  ];
  const configured = sample({ initial_messages: replayed, cwd: "/w" });
  const encode = (era: EraName) => eventWireOf(era).encode(configured);

  expect(encode("current")).toEqual(sample({ initial_messages: replayed }));
  const initial_messages: EventMsg[] = [{ type: "agent_message", message: "hi" }];
  expect(encode("0.166")).toEqual(sample({ initial_messages, cwd: "/w" }));
  expect(encode("0.45")).toEqual(sample({ initial_messages }));
});

function itemStarted(item: TurnItem): EventMsg {
  return { type: "item_started", thread_id: "t", turn_id: "u", item };
}

function sample(fields: Partial<SessionConfiguredEvent>): SessionConfiguredEvent {
  const history = { history_log_id: 0, history_entry_count: 0 };
  const session = { session_id: "s", model: "m", rollout_path: "/r", ...history };
  return { type: "session_configured", ...session, ...fields };
}

test("threads that are read are in every format", () => {
  const result = { thread: { id: "t", turns: [] }, readState: null };

  const formats = (["0.104", "0.166", "current"] as const).map((era) =>
    wireOf(era).result("thread/read", result),
  );

  expect(formats).toMatchObject([
    { thread: { id: "t" } },
    { thread: { id: "t" } },
    { thread: { id: "t" } },
  ]);
});
