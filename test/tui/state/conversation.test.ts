import { expect, test } from "vitest";
import type { ServerNotification } from "../../../src/client/index.js";
import {
  applyNotification,
  type Conversation,
  createConversation,
} from "../../../src/tui/state/conversation.js";
import type { WireItem } from "../../../src/tui/wire.js";

function started(): Conversation {
  const conversation = createConversation();
  conversation.status.threadId = "t";
  return conversation;
}

function notify(conversation: Conversation, method: string, params: object, now = 1000): void {
  const notification = { method, params: { threadId: "t", ...params } } as ServerNotification;
  applyNotification(conversation, notification, now);
}

const message = (text: string, id = "m"): WireItem => ({ type: "agentMessage", id, text });

test("complete blocks of a message are printed while the last one still streams", () => {
  const conversation = started();
  notify(conversation, "turn/started", { turn: { id: "u" } });
  notify(conversation, "item/started", { item: message("") });
  notify(conversation, "item/agentMessage/delta", { itemId: "m", delta: "One.\n\nTw" });
  const { transcript, status } = conversation;

  expect(status.turn).toMatchObject({ id: "u", startedAt: 1000 });
  expect(transcript.takeFresh()).toEqual([]);
  notify(conversation, "item/agentMessage/delta", { itemId: "m", delta: "o.\n\nThree" });
  expect(transcript.takeFresh()).toEqual([
    { kind: "agent", source: "One.", isFirst: true, isTight: false },
  ]);
  expect(transcript.live()).toEqual([
    { kind: "agent", source: "Two.\n\nThree", isFirst: false, isTight: false },
  ]);

  notify(conversation, "item/completed", { item: message("One.\n\nTwo.\n\nThree.") });
  notify(conversation, "turn/completed", { turn: { id: "u", status: "completed" } });
  expect(transcript.takeFresh()).toEqual([
    { kind: "agent", source: "Two.", isFirst: false, isTight: false },
    { kind: "agent", source: "Three.", isFirst: false, isTight: false },
  ]);
  expect(transcript.live()).toEqual([]);
  expect(status.isWorking).toBe(false);
});

test("an item without a start notification is shown when it completes, and only once", () => {
  const conversation = started();
  const item: WireItem = { type: "userMessage", id: "x", content: [{ type: "text", text: "hi" }] };
  notify(conversation, "item/started", { item });
  notify(conversation, "item/completed", { item });
  notify(conversation, "item/completed", { item });
  expect(conversation.transcript.takeFresh()).toEqual([{ kind: "user", input: item.content }]);
});

test("notifications of other threads are ignored", () => {
  const conversation = started();
  notify(conversation, "item/completed", { item: message("no"), threadId: "other" });
  expect(conversation.transcript.takeFresh()).toEqual([]);
});

test("a message that is cut off is printed before the next item", () => {
  const conversation = started();
  notify(conversation, "item/started", { item: message("", "m1") });
  notify(conversation, "item/agentMessage/delta", { itemId: "m1", delta: "half" });
  notify(conversation, "item/completed", {
    item: { type: "userMessage", id: "x", content: [{ type: "text", text: "stop" }] },
  });
  const kinds = conversation.transcript.takeFresh().map(({ kind }) => kind);
  expect(kinds).toEqual(["agent", "user"]);
});

test("output is live until the command completes; the longer of stream and result is kept", () => {
  const conversation = started();
  const item: WireItem = { type: "commandExecution", id: "c", command: "ls", status: "inProgress" };
  notify(conversation, "item/started", { item });
  notify(conversation, "item/commandExecution/outputDelta", { itemId: "c", delta: "late\n" });
  const [live] = conversation.transcript.live();
  expect(live?.kind === "command" && live.output.text()).toBe("late\n");

  const ended = { ...item, status: "completed", aggregatedOutput: "early\nlate\n", exitCode: 0 };
  notify(conversation, "item/completed", { item: ended });
  const [done] = conversation.transcript.takeFresh();
  expect(done?.kind === "command" && [done.isDone, done.output.text()]).toEqual([
    true,
    "early\nlate\n",
  ]);
});

test.each([
  ["completed", "inProgress"],
  ["interrupted", "failed"],
])("a command that outlives a turn that is %s becomes %s", (turnStatus, status) => {
  const conversation = started();
  const item: WireItem = {
    type: "commandExecution",
    id: "c",
    command: "serve",
    status: "inProgress",
  };
  notify(conversation, "turn/started", { turn: { id: "u" } });
  notify(conversation, "item/started", { item });
  notify(conversation, "turn/completed", { turn: { id: "u", status: turnStatus } });
  const [cell] = conversation.transcript.takeFresh();
  expect(cell?.kind === "command" && cell.item.status).toBe(status);
});

test("a retry is shown until output arrives, and a failure when the turn ends", () => {
  const conversation = started();
  const { status, transcript } = conversation;
  notify(conversation, "turn/started", { turn: { id: "u" } });
  notify(
    conversation,
    "error",
    { error: { message: "Reconnecting... 1/5" }, willRetry: true },
    2000,
  );
  expect(status.retry).toEqual({ since: 2000, text: "Reconnecting... 1/5", until: undefined });
  notify(conversation, "item/agentMessage/delta", { itemId: "m", delta: "x" });
  expect(status.retry).toBeUndefined();

  const error = { message: "too long", codexErrorInfo: "contextWindowExceeded" };
  notify(conversation, "turn/completed", { turn: { id: "u", status: "failed", error } });
  expect(transcript.takeFresh().at(-1)).toEqual({
    kind: "notice",
    level: "error",
    text: "too long",
    hint: "Use /compact to free up context, or /new to start a new session",
  });
});

test("the context left excludes the base instructions", () => {
  const { status } = started();
  const count = {
    totalTokens: 0,
    inputTokens: 0,
    cachedInputTokens: 0,
    cacheWriteInputTokens: 0,
    outputTokens: 0,
    reasoningOutputTokens: 0,
  };
  expect(status.contextLeft()).toBeUndefined();
  status.usage = {
    total: count,
    last: { ...count, totalTokens: 56_000 },
    modelContextWindow: 100_000,
  };
  expect(status.contextLeft()).toBe(50);
});

test("the next message: unconsumed steers first, then queued ones in order", () => {
  const { pending } = started();
  const draft = (text: string) => ({ text, images: [], skills: [] });
  pending.enqueue(draft("queued"));
  pending.steer(draft("steered"));
  pending.steer(draft("taken"));
  pending.taken("taken");
  expect(pending.next()?.text).toBe("steered");
  expect(pending.next()?.text).toBe("queued");
  expect(pending.next()).toBeUndefined();
});

test("streaming reasoning shows only its end, and everything once complete", () => {
  const { transcript } = createConversation();
  const text = "a thought ".repeat(10_000);

  transcript.textDelta("r", "reasoning", text);

  expect(transcript.live()).toEqual([{ kind: "reasoning", text: text.slice(-4000) }]);
  transcript.turnEnded(false);
  expect(transcript.finished).toEqual([{ kind: "reasoning", text }]);
});

test("[terminal B5] a command interrupted by the end of its turn is printed once", () => {
  const conversation = started();
  const { transcript } = conversation;
  const item: WireItem = {
    type: "commandExecution",
    id: "c",
    command: "sleep",
    status: "inProgress",
  };
  notify(conversation, "turn/started", { turn: { id: "u" } });
  notify(conversation, "item/started", { item });
  notify(conversation, "item/commandExecution/outputDelta", { itemId: "c", delta: "started\n" });
  notify(conversation, "turn/completed", { turn: { id: "u", status: "interrupted" } });
  const ended = { ...item, status: "failed", aggregatedOutput: "started\n", exitCode: 143 };
  notify(conversation, "item/completed", { item: ended });
  expect(transcript.takeFresh().map(({ kind }) => kind)).toEqual(["command", "notice"]);

  notify(conversation, "item/started", { item });
  notify(conversation, "item/completed", { item: { ...item, status: "completed", exitCode: 0 } });
  expect(transcript.takeFresh().map(({ kind }) => kind)).toEqual(["command"]);
});

test("[terminal B4] the result of a review is printed once, live and after a resume", () => {
  const conversation = started();
  const { transcript } = conversation;
  const items: WireItem[] = [
    { type: "exitedReviewMode", id: "r", review: "One bug.\n" },
    message("One bug.", "review_u"),
    message("What I did next.", "m"),
    message("One bug.", "n"),
  ];
  for (const item of items) {
    notify(conversation, "item/started", { item });
    notify(conversation, "item/completed", { item });
  }
  const kinds = ["review", "agent", "agent"];
  expect(transcript.takeFresh().map(({ kind }) => kind)).toEqual(kinds);
  transcript.clear();
  transcript.addTurn({ id: "u", items });
  expect(transcript.takeFresh().map(({ kind }) => kind)).toEqual(kinds);
});

test("[terminal R3] an item awaiting approval is not shown as running; its duration starts afterwards", () => {
  const { transcript } = started();
  const item: WireItem = { type: "commandExecution", id: "c", command: "ls", status: "inProgress" };
  transcript.itemStarted(item, 1000);
  transcript.hold("c");
  expect(transcript.live()).toEqual([]);
  transcript.release("c", 5000);
  expect(transcript.live()).toMatchObject([{ kind: "command", startedAt: 5000 }]);
});
