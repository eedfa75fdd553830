import { expect, test } from "vitest";
import type { ServerNotification } from "../../../src/client/index.js";
import { ThreadEventReader } from "../../../src/client/thread-events/index.js";

const place = { threadId: "t", turnId: "1" };

test("a turn is reported with its items, numbered from 0, and its usage", () => {
  expect(
    readAll([
      told("turn/started", { turn: { id: "1" } }),
      item("item/started", { type: "userMessage", id: "u", content: [] }),
      item("item/completed", { type: "reasoning", id: "r", summary: ["**A** a", "b"] }),
      item("item/started", command("inProgress", null, null)),
      item("item/completed", command("failed", "out\n", 3)),
      item("item/started", { type: "agentMessage", id: "m", text: "" }),
      item("item/completed", { type: "agentMessage", id: "m", text: "Done." }),
      usage,
      told("turn/completed", { turn: { id: "1", status: "completed", error: null } }),
    ]),
  ).toEqual([
    { type: "turn.started" },
    { type: "item.completed", item: { id: "item_0", type: "reasoning", text: "**A** a\nb" } },
    { type: "item.started", item: commandItem("", null, "in_progress") },
    { type: "item.completed", item: commandItem("out\n", 3, "failed") },
    { type: "item.completed", item: { id: "item_2", type: "agent_message", text: "Done." } },
    {
      type: "turn.completed",
      usage: {
        input_tokens: 100,
        cached_input_tokens: 20,
        cache_write_input_tokens: 0,
        output_tokens: 30,
        reasoning_output_tokens: 5,
      },
    },
  ]);
});

test("the plan starts once, is updated, and completes with the turn", () => {
  const plan = (status: string) => told("turn/plan/updated", { plan: [{ step: "Read", status }] });
  const todo = (completed: boolean) => ({
    id: "item_0",
    type: "todo_list",
    items: [{ text: "Read", completed }],
  });

  expect(
    readAll([
      plan("inProgress"),
      plan("completed"),
      told("turn/completed", { turn: { id: "1", status: "interrupted", error: null } }),
    ]),
  ).toEqual([
    { type: "item.started", item: todo(false) },
    { type: "item.updated", item: todo(true) },
    { type: "item.completed", item: todo(true) },
  ]);
});

test("a failure is reported when it occurs and at the end, with details", () => {
  const error = { message: "Reconnecting... 1/2", additionalDetails: "cut" };

  expect(
    readAll([
      told("warning", { message: "old model" }),
      told("error", { error, willRetry: true }),
      told("turn/completed", { turn: { id: "1", status: "failed", error: null } }),
    ]),
  ).toEqual([
    { type: "item.completed", item: { id: "item_0", type: "error", message: "old model" } },
    { type: "error", message: "Reconnecting... 1/2 (cut)" },
    { type: "turn.failed", error: { message: "Reconnecting... 1/2 (cut)" } },
  ]);
});

test.each([
  ["by no message", []],
  ["by a message", [item("item/completed", { type: "agentMessage", id: "m", text: "Fine." })]],
])("the result of a review is reported once, also if the server sends it %s", (_, messages) => {
  expect(
    readAll([
      item("item/completed", { type: "exitedReviewMode", id: "x", review: "Fine." }),
      ...messages,
      told("turn/completed", { turn: { id: "1", status: "completed", error: null } }),
    ]).slice(0, -1),
  ).toEqual([
    { type: "item.completed", item: { id: "item_0", type: "agent_message", text: "Fine." } },
  ]);
});

test("files, tools and searches have the format of the SDK", () => {
  const change = { path: "/a", kind: { type: "update", move_path: null }, diff: "" };
  const mcp = { type: "mcpToolCall", id: "c", server: "s", tool: "t", arguments: { a: 1 } };

  expect(
    readAll([
      item("item/completed", {
        type: "fileChange",
        id: "f",
        changes: [change],
        status: "declined",
      }),
      item("item/completed", {
        ...mcp,
        status: "completed",
        result: { content: [1], structuredContent: null, _meta: null },
        error: null,
      }),
      item("item/completed", {
        type: "webSearch",
        id: "ws_1",
        query: "q",
        action: { type: "openPage", url: "u" },
      }),
      item("item/completed", {
        type: "dynamicToolCall",
        id: "d",
        tool: "own",
        arguments: {},
        status: "completed",
        contentItems: [{ type: "inputText", text: "yes" }],
      }),
      item("item/completed", { type: "contextCompaction", id: "x" }),
    ]).map((event) => ("item" in event ? event.item : event)),
  ).toEqual([
    {
      id: "item_0",
      type: "file_change",
      changes: [{ path: "/a", kind: "update" }],
      status: "failed",
    },
    {
      id: "item_1",
      type: "mcp_tool_call",
      server: "s",
      tool: "t",
      arguments: { a: 1 },
      result: { content: [1], structured_content: null },
      error: null,
      status: "completed",
    },
    { id: "ws_1", type: "web_search", query: "q", action: { type: "open_page", url: "u" } },
    {
      id: "item_3",
      type: "tool_call",
      tool: "own",
      arguments: {},
      output: "yes",
      status: "completed",
    },
  ]);
});

const usage = told("thread/tokenUsage/updated", {
  tokenUsage: {
    total: {
      inputTokens: 100,
      cachedInputTokens: 20,
      cacheWriteInputTokens: 0,
      outputTokens: 30,
      reasoningOutputTokens: 5,
    },
  },
});

function readAll(notifications: ServerNotification[]) {
  const reader = new ThreadEventReader();
  return notifications.flatMap((notification) => reader.read(notification));
}

function told(method: string, params: object): ServerNotification {
  return { method, params: { ...place, ...params } } as ServerNotification;
}

function item(method: "item/started" | "item/completed", of: object): ServerNotification {
  return told(method, { item: of });
}

function command(status: string, aggregatedOutput: string | null, exitCode: number | null) {
  return { type: "commandExecution", id: "c", command: "ls", status, aggregatedOutput, exitCode };
}

function commandItem(aggregated_output: string, exit_code: number | null, status: string) {
  const id = "item_1";
  return { id, type: "command_execution", command: "ls", aggregated_output, exit_code, status };
}
