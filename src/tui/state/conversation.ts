import type { ServerNotification } from "../../client/index.js";
import { describeAutoReview, describeReviewedAction } from "../../protocol/auto-review-text.js";
import { describeHookRun, hookEvent } from "../../protocol/hook-run-text.js";
import type { SubAgentActivityItem } from "../../protocol/rpc/v2/item.js";
import type { V2Notifications } from "../../protocol/rpc/v2/methods.generated.js";
import type { TurnError } from "../../protocol/rpc/v2/turn.js";
import { inputText } from "../cells/user.js";
import { PendingMessages } from "./pending-messages.js";
import { readSettings } from "./settings.js";
import { readRetry, Status } from "./status.js";
import { Transcript } from "./transcript.js";

/** The state of the current thread, independent of terminal and server. */
export interface Conversation {
  readonly transcript: Transcript;
  readonly status: Status;
  readonly pending: PendingMessages;
}

/** Creates an empty conversation. */
export function createConversation(): Conversation {
  return { transcript: new Transcript(), status: new Status(), pending: new PendingMessages() };
}

/** Handlers by notification; others are ignored. */
type Effects = {
  [Method in keyof V2Notifications]?: (
    conversation: Conversation,
    params: V2Notifications[Method],
    now: number,
  ) => void;
};

/** Applies a notification; of other threads only those of its helper agents. */
export function applyNotification(
  conversation: Conversation,
  { method, params }: ServerNotification,
  now: number,
): void {
  const { threadId, item } = params as { threadId?: unknown; item?: Partial<SubAgentActivityItem> };
  // Agents of agents report in other threads.
  if (item?.agentThreadId !== undefined) conversation.status.agents.noted(item, now);
  if (typeof threadId === "string" && threadId !== conversation.status.threadId) {
    applyToAgent(conversation, threadId, { method, params } as ServerNotification, now);
  } else effects[method as keyof V2Notifications]?.(conversation, params as never, now);
}

/** Applies a notification of the thread of a helper agent. */
function applyToAgent(
  { status: { agents } }: Conversation,
  threadId: string,
  { method, params }: ServerNotification,
  now: number,
): void {
  if (method === "turn/started") agents.turnStarted(threadId, now);
  else if (method === "turn/completed") agents.turnEnded(threadId, params.turn.status);
  else if (method === "thread/status/changed") agents.statusChanged(threadId, params.status, now);
}

const effects: Effects = {
  "turn/started": ({ status }, { turn }, now) => status.turnStarted(turn.id, now),
  "turn/completed": turnCompleted,
  "item/started": ({ transcript, status }, { item }, now) => {
    status.retry = undefined;
    transcript.itemStarted(item, now);
  },
  "item/completed": ({ transcript, status, pending }, { item }) => {
    if (item.type === "plan" && item.text.trim() !== "") status.proposedPlan = item.text.trim();
    if (item.type === "userMessage") pending.taken(inputText(item.content));
    transcript.itemCompleted(item);
  },
  "item/agentMessage/delta": ({ transcript, status }, { itemId, delta }) => {
    status.retry = undefined;
    transcript.textDelta(itemId, "agent", delta);
  },
  "item/plan/delta": ({ transcript }, { itemId, delta }) =>
    transcript.textDelta(itemId, "plan", delta),
  "item/reasoning/summaryTextDelta": reasoningDelta,
  "item/reasoning/summaryPartAdded": ({ transcript }, { itemId }) =>
    transcript.textDelta(itemId, "reasoning", "\n\n"),
  "item/reasoning/textDelta": reasoningDelta,
  "item/commandExecution/outputDelta": ({ transcript }, { itemId, delta }) =>
    transcript.outputDelta(itemId, delta),
  "item/fileChange/patchUpdated": ({ transcript }, { itemId, changes }) =>
    transcript.patchUpdated(itemId, changes),
  "item/toolCall/failed": ({ transcript, status }, { tool, message }) => {
    const cwd = status.settings?.cwd ?? "";
    const reason = message.replace(/^(?:apply_patch verification failed|error): /, "");
    const isPatch = tool === "apply_patch" || reason !== message;
    const detail = cwd === "" ? reason : reason.replaceAll(`${cwd}/`, "");
    const title = isPatch ? "A patch did not apply:" : `${tool} failed:`;
    transcript.add({ kind: "tool", title, detail, status: "failed" });
  },
  "item/mcpToolCall/progress": ({ transcript }, { itemId, message }) =>
    transcript.progress(itemId, message),
  "turn/plan/updated": ({ transcript, status }, { explanation, plan }) => {
    status.plan = plan;
    transcript.add({ kind: "plan", explanation: explanation ?? undefined, steps: plan });
  },
  "turn/diff/updated": ({ status }, { diff }) => {
    status.diff = diff;
    if (status.turn !== undefined) status.turn.diff = diff;
  },
  "thread/tokenUsage/updated": ({ status }, { tokenUsage }) => {
    status.setUsage(tokenUsage);
  },
  "thread/name/updated": ({ status }, { threadName }) => {
    status.threadName = threadName ?? undefined;
  },
  "thread/settings/updated": ({ status }, { threadSettings }) => {
    status.settings = readSettings(threadSettings, status.settings);
  },
  "account/rateLimits/updated": ({ status }, { rateLimits }) => {
    status.limits = rateLimits;
  },
  "thread/compacted": ({ transcript }) =>
    transcript.notice({ level: "info", text: "Context compacted" }),
  error: reportError,
  warning: ({ transcript }, { message }) => transcript.notice({ level: "warning", text: message }),
  configWarning: summaryWarning,
  deprecationNotice: (conversation, params) => {
    // Concerns this client, not the user.
    if (!params.summary.startsWith("Full-history hydration")) summaryWarning(conversation, params);
  },
  "hook/started": ({ status }, { run }) => {
    status.hooks.set(run.id, run.statusMessage ?? `Running ${hookEvent(run)} hook`);
  },
  "hook/completed": hookCompleted,
  "item/autoApprovalReview/started": ({ status }, { reviewId, action }) => {
    status.hooks.set(reviewId, `Reviewing ${describeReviewedAction(action)}`);
  },
  "item/autoApprovalReview/completed": autoReviewCompleted,
  "mcpServer/startupStatus/updated": ({ transcript }, { name, status, error }) => {
    if (status !== "failed") return;
    const text = `MCP server ${name} failed to start${error ? `: ${error}` : ""}`;
    transcript.notice({ level: "warning", text, hint: "/mcp lists all servers" });
  },
};

function turnCompleted(
  { transcript, status }: Conversation,
  { turn }: V2Notifications["turn/completed"],
  now: number,
): void {
  // The turn already ended, or belongs to a review.
  if (status.turn !== undefined && turn.id !== status.turn.id) return;
  transcript.turnEnded(turn.status !== "completed");
  if (status.turn !== undefined && turn.status !== "inProgress") {
    status.summarize(turn.status, turn.durationMs, now);
  }
  status.turnEnded();
  if (turn.status === "failed") {
    const { text, hint } = failureText(turn.error);
    transcript.notice({ level: "error", text, ...(hint === undefined ? {} : { hint }) });
  } else if (turn.status === "interrupted") {
    const hint = "Tell the agent what to do instead";
    transcript.notice({ level: "warning", text: "Interrupted", hint });
  }
}

function failureText(error: TurnError | null | undefined): { text: string; hint?: string } {
  if (!error) return { text: "The turn failed without an error message" };
  const text = error.additionalDetails
    ? `${error.message}\n${error.additionalDetails}`
    : error.message;
  const hint = hints[String(error.codexErrorInfo)];
  return hint === undefined ? { text } : { text, hint };
}

const hints: Readonly<Record<string, string>> = {
  contextWindowExceeded: "Use /compact to free up context, or /new to start a new session",
  usageLimitExceeded: "/status shows when the limit resets",
  unauthorized: "Use /logout, then sign in again",
};

function reasoningDelta(
  { transcript, status }: Conversation,
  { itemId, delta }: { itemId: string; delta: string },
): void {
  status.retry = undefined;
  transcript.textDelta(itemId, "reasoning", delta);
}

/** Shows a retry in the working line. An error that fails the turn is shown when the turn ends. */
function reportError(
  { transcript, status }: Conversation,
  { error, willRetry }: V2Notifications["error"],
  now: number,
): void {
  if (willRetry) {
    status.retry = readRetry(error.message, now);
  } else if (!status.isWorking) {
    transcript.notice({ level: "error", text: error.message });
  }
}

/** Shows what a hook decided; one that let things continue leaves no trace. */
function hookCompleted(
  { transcript, status }: Conversation,
  { run }: V2Notifications["hook/completed"],
): void {
  status.hooks.delete(run.id);
  for (const { kind, text } of run.entries) {
    if (kind === "warning") transcript.notice({ level: "warning", text });
  }
  const text = describeHookRun(run);
  // The reason for which a turn continues is an item.
  const isShown = run.status === "blocked" && /stop$/i.test(run.eventName);
  if (text === undefined || isShown) return;
  const hint = run.sourcePath === "" ? {} : { hint: run.sourcePath };
  transcript.notice({ level: run.status === "failed" ? "error" : "warning", text, ...hint });
}

/** Shows what the automatic reviewer decided; a denial can be overruled. */
function autoReviewCompleted(
  { transcript, status }: Conversation,
  params: V2Notifications["item/autoApprovalReview/completed"],
): void {
  status.hooks.delete(params.reviewId);
  const text = describeAutoReview(params);
  if (params.review.status === "denied") {
    status.denials.set(params.reviewId, params);
    transcript.notice({ level: "warning", text, hint: "/approve overrules the denial" });
  } else {
    transcript.notice({ level: params.review.status === "approved" ? "info" : "warning", text });
  }
}

function summaryWarning(
  { transcript }: Conversation,
  { summary, details }: { summary: string; details?: string | null },
): void {
  transcript.notice({ level: "warning", text: summary, ...(details ? { hint: details } : {}) });
}
