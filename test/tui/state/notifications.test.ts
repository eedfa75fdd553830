import { expect, test } from "vitest";
import type { ServerNotification } from "../../../src/client/index.js";
import type { Cell } from "../../../src/tui/state/cell.js";
import { applyNotification, createConversation } from "../../../src/tui/state/conversation.js";

/** Applies notifications of one thread; returns the finished cells. */
function cellsAfter(...notifications: [method: string, params: object][]): Cell[] {
  const conversation = createConversation();
  conversation.status.threadId = "t";
  for (const [method, params] of notifications) {
    const notification = { method, params: { threadId: "t", ...params } } as ServerNotification;
    applyNotification(conversation, notification, 1000);
  }
  return conversation.transcript.takeFresh();
}

const started = ["turn/started", { turn: { id: "u" } }] as [string, object];
const failed = (error: object | null) =>
  ["turn/completed", { turn: { id: "u", status: "failed", error } }] as [string, object];

const reviewedAction = { type: "command", source: "shell", command: "make", cwd: "/w" };
const autoReview = (status: string, more: object): [string, object] => {
  const review = { status, riskLevel: null, userAuthorization: null, rationale: null, ...more };
  const params = { reviewId: "1", action: reviewedAction, review };
  return ["item/autoApprovalReview/completed", params];
};

const hookRun = (status: string, kind: string, text: string) => ({
  id: "r",
  eventName: "preToolUse",
  sourcePath: "/h/hooks.json",
  statusMessage: null,
  status,
  entries: [{ kind, text }],
});

test.each<[string, [string, object][], object[]]>([
  [
    "a failed turn shows its error, with a hint for known ones",
    [started, failed({ message: "full", codexErrorInfo: "contextWindowExceeded" })],
    [
      {
        kind: "notice",
        level: "error",
        text: "full",
        hint: "Use /compact to free up context, or /new to start a new session",
      },
    ],
  ],
  [
    "details follow the error",
    [started, failed({ message: "bad", additionalDetails: "status 500" })],
    [{ kind: "notice", level: "error", text: "bad\nstatus 500" }],
  ],
  [
    "a turn that failed without an error says so",
    [started, failed(null)],
    [{ kind: "notice", level: "error", text: "The turn failed without an error message" }],
  ],
  [
    "an error while no turn runs is shown at once",
    [["error", { error: { message: "x" }, willRetry: false }]],
    [{ kind: "notice", level: "error", text: "x" }],
  ],
  [
    "an error of the running turn is shown by its end only",
    [started, ["error", { error: { message: "x" }, willRetry: false }]],
    [],
  ],
  [
    "hooks that blocked, failed or stopped something are shown, others are not",
    [
      ["hook/completed", { run: hookRun("blocked", "feedback", "no pushes") }],
      ["hook/completed", { run: hookRun("failed", "error", "hook exited with code 1") }],
      ["hook/completed", { run: hookRun("completed", "context", "for the model") }],
      ["hook/completed", { run: hookRun("completed", "warning", "careful") }],
      ["hook/completed", { run: { ...hookRun("blocked", "feedback", "x"), eventName: "stop" } }],
    ],
    [
      {
        kind: "notice",
        level: "warning",
        text: "PreToolUse hook blocked: no pushes",
        hint: "/h/hooks.json",
      },
      {
        kind: "notice",
        level: "error",
        text: "PreToolUse hook failed: hook exited with code 1",
        hint: "/h/hooks.json",
      },
      { kind: "notice", level: "warning", text: "careful" },
    ],
  ],
  [
    "the decisions of the automatic reviewer are shown with their reasons",
    [
      ["item/autoApprovalReview/started", { reviewId: "1", action: reviewedAction }],
      autoReview("approved", { riskLevel: "low", rationale: "Harmless." }),
      autoReview("denied", { riskLevel: "high", rationale: "Not asked for." }),
      autoReview("timedOut", { rationale: "Automatic approval review failed: timed out" }),
    ],
    [
      {
        kind: "notice",
        level: "info",
        text: "Automatic review approved `make` (low risk): Harmless.",
      },
      {
        kind: "notice",
        level: "warning",
        text: "Automatic review denied `make` (high risk): Not asked for.",
        hint: "/approve overrules the denial",
      },
      {
        kind: "notice",
        level: "warning",
        text: "Automatic approval review failed: timed out: `make`",
      },
    ],
  ],
  [
    "a warning is shown",
    [["warning", { message: "careful" }]],
    [{ kind: "notice", level: "warning", text: "careful" }],
  ],
  [
    "a warning about the config has its details as a hint",
    [["configWarning", { summary: "bad key", details: "line 3" }]],
    [{ kind: "notice", level: "warning", text: "bad key", hint: "line 3" }],
  ],
  [
    "a deprecation is shown, unless it concerns this client",
    [
      ["deprecationNotice", { summary: "old flag", details: null }],
      ["deprecationNotice", { summary: "Full-history hydration is deprecated", details: null }],
    ],
    [{ kind: "notice", level: "warning", text: "old flag" }],
  ],
  [
    "an MCP server that fails to start is shown, others are not",
    [
      ["mcpServer/startupStatus/updated", { name: "a", status: "ready", error: null }],
      ["mcpServer/startupStatus/updated", { name: "b", status: "failed", error: "no such file" }],
    ],
    [
      {
        kind: "notice",
        level: "warning",
        text: "MCP server b failed to start: no such file",
        hint: "/mcp lists all servers",
      },
    ],
  ],
  [
    "a plan is shown each time it changes",
    [["turn/plan/updated", { explanation: null, plan: [{ step: "a", status: "pending" }] }]],
    [{ kind: "plan", explanation: undefined, steps: [{ step: "a", status: "pending" }] }],
  ],
  [
    "the result of a review is not repeated by the message after it",
    [
      ["item/completed", { item: { type: "exitedReviewMode", id: "r", review: "fine\n" } }],
      ["item/completed", { item: { type: "agentMessage", id: "m", text: "fine" } }],
    ],
    [{ kind: "review", hasEnded: true, text: "fine\n" }],
  ],
  [
    "the end of another turn changes nothing",
    [started, ["turn/completed", { turn: { id: "other", status: "interrupted" } }]],
    [],
  ],
  [
    "notifications of other threads change nothing",
    [["warning", { threadId: "x", message: "m" }]],
    [],
  ],
  ["unknown notifications change nothing", [["thread/somethingNew", {}]], []],
])("%s", (_, notifications, cells) => {
  expect(cellsAfter(...notifications)).toEqual(cells);
});

test("reasoning streams with its last bold text as the heading", () => {
  const conversation = createConversation();
  conversation.status.threadId = "t";
  const apply = (method: string, params: object) =>
    applyNotification(
      conversation,
      { method, params: { threadId: "t", itemId: "r", ...params } } as ServerNotification,
      1000,
    );
  const { transcript } = conversation;
  expect(transcript.heading()).toBeUndefined();
  apply("item/reasoning/summaryTextDelta", { delta: "**Looking** at" });
  expect(transcript.heading()).toBe("Looking");
  apply("item/reasoning/summaryPartAdded", {});
  apply("item/reasoning/summaryTextDelta", { delta: "**Fixing** it" });
  expect(transcript.heading()).toBe("Fixing");
  expect(transcript.live()).toEqual([
    { kind: "reasoning", text: "**Looking** at\n\n**Fixing** it" },
  ]);
});

test("progress and output belong to the item that runs", () => {
  const conversation = createConversation();
  conversation.status.threadId = "t";
  const apply = (method: string, params: object) =>
    applyNotification(
      conversation,
      { method, params: { threadId: "t", ...params } } as ServerNotification,
      1000,
    );
  const mcp = { type: "mcpToolCall", id: "m", server: "docs", tool: "find", status: "inProgress" };
  const patch = { type: "fileChange", id: "p", changes: [], status: "inProgress" };
  apply("item/started", { item: mcp });
  apply("item/started", { item: patch });
  apply("item/mcpToolCall/progress", { itemId: "m", message: "half" });
  apply("item/mcpToolCall/progress", { itemId: "p", message: "ignored" });
  const changes = [{ path: "a", kind: { type: "add" }, diff: "x" }];
  apply("item/fileChange/patchUpdated", { itemId: "p", changes });
  apply("item/commandExecution/outputDelta", { itemId: "gone", delta: "ignored" });
  expect(conversation.transcript.live()).toMatchObject([
    { kind: "mcp", progress: "half" },
    { kind: "patch", changes },
  ]);
  expect(conversation.transcript.changesOf("p")).toEqual(changes);
  expect(conversation.transcript.changesOf("m")).toEqual([]);
});
