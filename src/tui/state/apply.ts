import { inputText } from "../cells/user.js";
import type { Told } from "../server.js";
import type {
  WireError,
  WireFileChange,
  WireItem,
  WirePlanStep,
  WireRateLimits,
  WireTokenUsage,
  WireTurn,
} from "../wire.js";
import type { Conversation } from "./conversation.js";
import { readSettings, type WireSettings } from "./settings.js";

/** What a kind of notification does to the conversation. */
type Effect = (conversation: Conversation, params: never, now: number) => void;

/** Brings a notification into the conversation; one of another thread or kind changes nothing. */
export function applyNotification(
  conversation: Conversation,
  { method, params }: Told,
  now: number,
): void {
  const thread = params.threadId;
  if (typeof thread === "string" && thread !== conversation.status.threadId) return;
  effects[method]?.(conversation, params as never, now);
}

interface ItemParams {
  item: WireItem;
}
interface DeltaParams {
  itemId: string;
  delta: string;
}

const effects: Readonly<Record<string, Effect>> = {
  "turn/started": ({ status }, { turn }: { turn: WireTurn }, now) =>
    status.turnStarted(turn.id, now),
  "turn/completed": turnCompleted,
  "item/started": ({ transcript, status }, { item }: ItemParams, now) => {
    status.retry = undefined;
    transcript.itemStarted(item, now);
  },
  "item/completed": ({ transcript, waiting }, { item }: ItemParams) => {
    if (item.type === "userMessage") waiting.taken(inputText(item.content));
    transcript.itemCompleted(item);
  },
  "item/agentMessage/delta": ({ transcript, status }, { itemId, delta }: DeltaParams) => {
    status.retry = undefined;
    transcript.textDelta(itemId, "agent", delta);
  },
  "item/plan/delta": ({ transcript }, { itemId, delta }: DeltaParams) =>
    transcript.textDelta(itemId, "agent", delta),
  "item/reasoning/summaryTextDelta": reasoningDelta,
  "item/reasoning/summaryPartAdded": ({ transcript }, { itemId }: DeltaParams) =>
    transcript.textDelta(itemId, "reasoning", "\n\n"),
  "item/reasoning/textDelta": reasoningDelta,
  "item/commandExecution/outputDelta": ({ transcript }, { itemId, delta }: DeltaParams) =>
    transcript.outputDelta(itemId, delta),
  "item/fileChange/patchUpdated": (
    { transcript },
    { itemId, changes }: { itemId: string; changes: WireFileChange[] },
  ) => transcript.patchUpdated(itemId, changes),
  "item/mcpToolCall/progress": (
    { transcript },
    { itemId, message }: { itemId: string; message: string },
  ) => transcript.progress(itemId, message),
  "turn/plan/updated": (
    { transcript },
    { explanation, plan }: { explanation?: string | null; plan: WirePlanStep[] },
  ) => transcript.add({ kind: "plan", explanation: explanation ?? undefined, steps: plan }),
  "turn/diff/updated": ({ status }, { diff }: { diff: string }) => {
    status.diff = diff;
  },
  "thread/tokenUsage/updated": ({ status }, { tokenUsage }: { tokenUsage: WireTokenUsage }) => {
    status.usage = tokenUsage;
  },
  "thread/name/updated": ({ status }, params: { threadName?: string; name?: string }) => {
    status.threadName = params.threadName ?? params.name;
  },
  "thread/settings/updated": ({ status }, { threadSettings }: { threadSettings: WireSettings }) => {
    status.settings = readSettings(threadSettings, status.settings);
  },
  "account/rateLimits/updated": ({ status }, { rateLimits }: { rateLimits: WireRateLimits }) => {
    status.limits = rateLimits;
  },
  "thread/compacted": ({ transcript }) =>
    transcript.notice({ level: "info", text: "The conversation was compacted" }),
  error: errorTold,
  warning: ({ transcript }, { message }: { message: string }) =>
    transcript.notice({ level: "warning", text: message }),
  configWarning: summaryWarning,
  deprecationNotice: summaryWarning,
  "mcpServer/startupStatus/updated": (
    { transcript },
    { name, status, error }: { name: string; status: unknown; error?: string | null },
  ) => {
    if (status !== "failed") return;
    const text = `The MCP server ${name} did not start${error ? `: ${error}` : ""}`;
    transcript.notice({ level: "warning", text, hint: "/mcp shows all of them" });
  },
};

function turnCompleted({ transcript, status }: Conversation, { turn }: { turn: WireTurn }): void {
  // A turn that ended before, or belongs to a review, is not the one that is shown.
  if (status.turn !== undefined && turn.id !== status.turn.id) return;
  transcript.turnEnded();
  status.turnEnded();
  if (turn.status === "failed") {
    const { text, hint } = failureText(turn.error);
    transcript.notice({ level: "error", text, ...(hint === undefined ? {} : { hint }) });
  } else if (turn.status === "interrupted") {
    const hint = "Say what to do instead, or go on";
    transcript.notice({ level: "warning", text: "Interrupted", hint });
  }
}

function failureText(error: WireError | null | undefined): { text: string; hint?: string } {
  if (!error) return { text: "The turn failed, and the server does not say why" };
  const text = error.additionalDetails
    ? `${error.message}\n${error.additionalDetails}`
    : error.message;
  const hint = hints[String(error.codexErrorInfo)];
  return hint === undefined ? { text } : { text, hint };
}

const hints: Readonly<Record<string, string>> = {
  contextWindowExceeded: "/compact shortens the conversation, /new begins another one",
  usageLimitExceeded: "/status shows when the limit is renewed",
  unauthorized: "/logout, then sign in again",
};

function reasoningDelta(
  { transcript, status }: Conversation,
  { itemId, delta }: DeltaParams,
): void {
  status.retry = undefined;
  transcript.textDelta(itemId, "reasoning", delta);
}

/** A turn that will fail says so at its end; what is tried again is told by the working line. */
function errorTold(
  { transcript, status }: Conversation,
  { error, willRetry }: { error: WireError; willRetry?: boolean },
  now: number,
): void {
  if (willRetry) {
    status.retry = { since: now, text: error.message };
  } else if (!status.isWorking) {
    transcript.notice({ level: "error", text: error.message });
  }
}

function summaryWarning(
  { transcript }: Conversation,
  { summary, details }: { summary: string; details?: string | null },
): void {
  transcript.notice({ level: "warning", text: summary, ...(details ? { hint: details } : {}) });
}
