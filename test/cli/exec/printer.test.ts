import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import type { OpenedThread } from "../../../src/cli/exec/connect.js";
import { jsonPrinter } from "../../../src/cli/exec/printer.js";
import type { ServerNotification } from "../../../src/client/index.js";
import { type EraName, eraOf } from "../../../src/compat/index.js";
import { createIo } from "../support/in-process.js";

const place = { threadId: "t", turnId: "1" };
const command = {
  type: "commandExecution",
  id: "c",
  command: "ls",
  status: "inProgress",
  aggregatedOutput: null,
  exitCode: null,
};
const total = {
  inputTokens: 100,
  cachedInputTokens: 20,
  cacheWriteInputTokens: 0,
  outputTokens: 30,
  reasoningOutputTokens: 5,
};
const oldUsage = { input_tokens: 100, cached_input_tokens: 20, output_tokens: 30 };
const newUsage = { ...oldUsage, cache_write_input_tokens: 0, reasoning_output_tokens: 5 };
const call = { server: "s", tool: "t", status: "completed" };
const answer = { arguments: {}, result: { content: [], structured_content: null }, error: null };
const ownTool = {
  type: "tool_call",
  tool: "own",
  arguments: {},
  output: null,
  status: "completed",
};
const warned = { type: "error", message: "slow" };

/** Prints JSON Lines in the format of an era. */
function createPrinter(era: EraName = "current") {
  const { io, written } = createIo({});
  const printer = jsonPrinter(io, eraOf(era));
  const send = (method: string, params: object) =>
    printer.notification({ method, params } as unknown as ServerNotification);
  const events = () =>
    written.stdout
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as { type: string });
  return { printer, send, events, written };
}

describe("events as JSON Lines", () => {
  test("start with the thread", () => {
    const { printer, events } = createPrinter();
    printer.begin({ thread: { id: "t1" } } as unknown as OpenedThread, "prompt");

    expect(events()).toEqual([{ type: "thread.started", thread_id: "t1" }]);
  });

  test("have messages of the model, one line each", () => {
    const { send, events, written } = createPrinter();
    send("turn/started", { threadId: "t", turn: { id: "1" } });
    send("item/completed", {
      threadId: "t",
      turnId: "1",
      item: { type: "agentMessage", id: "m", text: "two\nlines" },
    });

    expect(events().at(-1)).toMatchObject({
      type: "item.completed",
      item: { type: "agent_message", text: "two\nlines" },
    });
    expect(written.stdout.endsWith("\n")).toBe(true);
    expect(written.stderr).toBe("");
  });

  test("have warnings of the program", () => {
    const { printer, events } = createPrinter();
    printer.warn("declined");

    expect(JSON.stringify(events())).toContain("declined");
  });

  test("do not have warnings about the config, which go to standard error", () => {
    const { printer, send, events, written } = createPrinter();
    send("configWarning", { summary: "s", details: "d" });
    send("configWarning", { summary: "alone", details: null });
    printer.end("message");

    expect(events()).toEqual([]);
    expect(written.stderr).toBe("warning: s (d)\nwarning: alone\n");
  });
});

test("lines of our newest form match the published JSON Schema", () => {
  const { printer, send, events } = createPrinter();
  const schema = JSON.parse(readFileSync("schema/exec-event.schema.json", "utf8")) as object;
  const check = new Ajv2020({ strict: false }).compile(schema);

  printer.begin({ thread: { id: "t" } } as unknown as OpenedThread, "prompt");
  send("turn/started", { ...place, turn: { id: "1" } });
  send("item/started", { ...place, item: command });
  send("turn/plan/updated", { ...place, plan: [{ step: "a", status: "pending" }] });
  printer.warn("slow");
  send("turn/completed", { ...place, turn: { id: "1", status: "completed", error: null } });

  expect(events().map((event) => check(event) || [event, check.errors])).toEqual(
    events().map(() => true),
  );
  expect(check({ type: "item.completed", item: { type: "error" } })).toBe(false);
});

test.each<[EraName, unknown[]]>([
  [
    "0.42",
    [
      { type: "session.created", session_id: "t" },
      { type: "item.completed", item: { id: "item_0", item_type: "reasoning", text: "a" } },
      { type: "item.completed", item: { id: "item_1", item_type: "reasoning", text: "b" } },
      { type: "item.started", item: oldCommand("item_type", {}) },
      { type: "item.completed", item: { id: "item_3", item_type: "assistant_message", text: "x" } },
    ],
  ],
  [
    "0.45",
    [
      { type: "thread.started", thread_id: "t" },
      { type: "turn.started" },
      { type: "item.completed", item: { id: "item_0", type: "reasoning", text: "a" } },
      { type: "item.completed", item: { id: "item_1", type: "reasoning", text: "b" } },
      { type: "item.started", item: oldCommand("type", {}) },
      { type: "item.completed", item: { id: "item_3", type: "web_search", query: "q" } },
      { type: "item.completed", item: { id: "item_4", type: "agent_message", text: "x" } },
      {
        type: "turn.completed",
        usage: { input_tokens: 100, cached_input_tokens: 20, output_tokens: 30 },
      },
    ],
  ],
  [
    "0.104",
    [
      { type: "thread.started", thread_id: "t" },
      { type: "turn.started" },
      { type: "item.completed", item: { id: "item_0", type: "reasoning", text: "a" } },
      { type: "item.completed", item: { id: "item_1", type: "reasoning", text: "b" } },
      { type: "item.started", item: oldCommand("type", { exit_code: null }) },
      {
        type: "item.completed",
        item: { id: "ws_1", type: "web_search", query: "q", action: { type: "other" } },
      },
      { type: "item.completed", item: { id: "item_4", type: "agent_message", text: "x" } },
      {
        type: "turn.completed",
        usage: { input_tokens: 100, cached_input_tokens: 20, output_tokens: 30 },
      },
    ],
  ],
])("version %s has its own format", (era, expected) => {
  const { printer, send, events } = createPrinter(era);
  const completed = (item: object) => send("item/completed", { ...place, item });

  printer.begin({ thread: { id: "t" } } as unknown as OpenedThread, "prompt");
  send("turn/started", { ...place, turn: { id: "1" } });
  send("codex/event/task_started", { msg: { type: "task_started" } });
  completed({ type: "reasoning", id: "r", summary: ["a", "b"] });
  send("item/started", { ...place, item: command });
  completed({ type: "webSearch", id: "ws_1", query: "q", action: null });
  completed({ type: "agentMessage", id: "m", text: "x" });
  send("thread/tokenUsage/updated", { ...place, tokenUsage: { total } });
  send("turn/completed", { ...place, turn: { id: "1", status: "completed", error: null } });

  expect(events()).toEqual(expected);
});

test.each<[EraName, kinds: unknown[], usage: object | undefined]>([
  ["0.42", [], undefined],
  ["0.45", [{ type: "mcp_tool_call", ...call }], oldUsage],
  ["0.104", [{ type: "mcp_tool_call", ...call, ...answer }, warned], oldUsage],
  ["0.166", [{ type: "mcp_tool_call", ...call, ...answer }, warned], newUsage],
  ["current", [{ type: "mcp_tool_call", ...call, ...answer }, ownTool, warned], newUsage],
])("version %s has the items and fields of its time", (era, items, usage) => {
  const { printer, send, events } = createPrinter(era);
  const completed = (item: object) => send("item/completed", { ...place, item });
  const result = { content: [], structuredContent: null };

  completed({ type: "mcpToolCall", id: "c", ...call, arguments: {}, result, error: null });
  completed({ type: "dynamicToolCall", id: "d", tool: "own", arguments: {}, status: "completed" });
  printer.warn("slow");
  send("thread/tokenUsage/updated", { ...place, tokenUsage: { total } });
  send("turn/completed", { ...place, turn: { id: "1", status: "completed", error: null } });

  const lines = events() as { item?: { id: string }; usage?: object }[];
  const found = lines.flatMap(({ item: { id: _, ...item } = { id: "" } }) => [item]);
  expect(found.filter((item) => "type" in item)).toEqual(items);
  expect(lines.find((line) => line.usage)?.usage).toEqual(usage);
});

function oldCommand(tag: string, more: object) {
  const fields = { command: "ls", aggregated_output: "", status: "in_progress" };
  return { id: "item_2", [tag]: "command_execution", ...fields, ...more };
}
