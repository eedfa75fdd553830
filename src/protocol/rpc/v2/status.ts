import Type, { type Static } from "typebox";
import { described, Nullable, taggedUnion } from "../../schema.js";
import { defineNotification } from "../declare.js";

const threadId = Type.String({ description: "The thread." });
const turnId = Type.String({ description: "The turn." });
const count = (description: string) => Type.Integer({ description });

export const ThreadStatus = taggedUnion(
  "ThreadStatus",
  "type",
  [
    Type.Object({ type: Type.Literal("notLoaded") }),
    Type.Object({ type: Type.Literal("idle") }),
    Type.Object({ type: Type.Literal("systemError") }),
    Type.Object({
      type: Type.Literal("active"),
      activeFlags: Type.Array(Type.Enum(["waitingOnApproval", "waitingOnUserInput"]), {
        description: "What it waits for, if for anything.",
      }),
    }),
  ],
  "What a thread does just now.",
);
/** What a thread does just now. */
export type ThreadStatus =
  | { type: "notLoaded" | "idle" | "systemError" }
  | { type: "active"; activeFlags: ("waitingOnApproval" | "waitingOnUserInput")[] };

export const ThreadStatusChangedNotification = Type.Object(
  { threadId, status: described(ThreadStatus, "What it does now.") },
  { $id: "ThreadStatusChangedNotification", description: "A thread does something else now." },
);
export interface ThreadStatusChangedNotification
  extends Static<typeof ThreadStatusChangedNotification> {
  status: ThreadStatus;
}

export const TokenUsageBreakdown = Type.Object(
  {
    totalTokens: count("Input and output together."),
    inputTokens: count("Tokens sent, cached ones included."),
    cachedInputTokens: count("How many of those came from the cache."),
    cacheWriteInputTokens: count("How many were put into the cache."),
    outputTokens: count("Tokens the model wrote, reasoning included."),
    reasoningOutputTokens: count("How many of those were reasoning."),
  },
  { $id: "TokenUsageBreakdown", description: "Tokens by what they were used for." },
);
export interface TokenUsageBreakdown extends Static<typeof TokenUsageBreakdown> {}

export const ThreadTokenUsage = Type.Object(
  {
    total: described(TokenUsageBreakdown, "Of the whole thread."),
    last: described(TokenUsageBreakdown, "Of the last request."),
    modelContextWindow: Nullable(Type.Integer(), {
      description: "How many tokens the model can hold, when that is known.",
    }),
  },
  { $id: "ThreadTokenUsage", description: "What a thread has cost." },
);
export interface ThreadTokenUsage extends Static<typeof ThreadTokenUsage> {}

export const ThreadTokenUsageUpdatedNotification = Type.Object(
  { threadId, turnId, tokenUsage: described(ThreadTokenUsage, "What it has cost by now.") },
  { $id: "ThreadTokenUsageUpdatedNotification", description: "A thread has cost more." },
);
export interface ThreadTokenUsageUpdatedNotification
  extends Static<typeof ThreadTokenUsageUpdatedNotification> {}

export const ContextCompactedNotification = Type.Object(
  { threadId, turnId },
  { $id: "ContextCompactedNotification", description: "A conversation was summarized." },
);
export interface ContextCompactedNotification extends Static<typeof ContextCompactedNotification> {}

export const WarningNotification = Type.Object(
  {
    threadId: Nullable(Type.String(), { description: "The thread it concerns, if one alone." }),
    message: Type.String({ description: "What the user should know." }),
  },
  { $id: "WarningNotification", description: "Something is not as it should be." },
);
export interface WarningNotification extends Static<typeof WarningNotification> {}

export const DeprecationNoticeNotification = Type.Object(
  {
    summary: Type.String({ description: "What is out of date." }),
    details: Nullable(Type.String(), { description: "What to do about it." }),
  },
  { $id: "DeprecationNoticeNotification", description: "Something is out of date." },
);
export interface DeprecationNoticeNotification
  extends Static<typeof DeprecationNoticeNotification> {}

export const RateLimitWindow = Type.Object(
  {
    usedPercent: Type.Number({ description: "How much is used up." }),
    windowDurationMins: Nullable(Type.Integer(), { description: "How long the window is." }),
    resetsAt: Nullable(Type.Integer(), { description: "When it begins anew, in Unix seconds." }),
  },
  { $id: "RateLimitWindow", description: "How far one limit is used up." },
);
export interface RateLimitWindow extends Static<typeof RateLimitWindow> {}

export const CreditsSnapshot = Type.Object(
  {
    hasCredits: Type.Boolean({ description: "Whether there are any." }),
    unlimited: Type.Boolean({ description: "Whether there is no end of them." }),
    balance: Nullable(Type.String(), { description: "How many are left." }),
  },
  { $id: "CreditsSnapshot", description: "What has been paid in advance." },
);
export interface CreditsSnapshot extends Static<typeof CreditsSnapshot> {}

export const RateLimitSnapshot = Type.Object(
  {
    limitId: Nullable(Type.String(), { description: "Names the limit." }),
    limitName: Nullable(Type.String(), { description: "The same for people." }),
    normalModelSlug: Nullable(Type.String(), { description: "The model it is counted for." }),
    primary: Nullable(RateLimitWindow, { description: "The short window." }),
    secondary: Nullable(RateLimitWindow, { description: "The long window." }),
    credits: Nullable(CreditsSnapshot, { description: "What has been paid in advance." }),
    individualLimit: Type.Null({ description: "Always null." }),
    spendControlReached: Nullable(Type.Boolean(), { description: "Whether spending is stopped." }),
    planType: Nullable(Type.String(), { description: "The plan of the account." }),
    rateLimitReachedType: Nullable(Type.String(), { description: "Which limit is reached." }),
  },
  { $id: "RateLimitSnapshot", description: "How far the limits of the account are used up." },
);
export interface RateLimitSnapshot extends Static<typeof RateLimitSnapshot> {}

export const AccountRateLimitsUpdatedNotification = Type.Object(
  { rateLimits: described(RateLimitSnapshot, "The limits now.") },
  { $id: "AccountRateLimitsUpdatedNotification", description: "More of the limits is used up." },
);
export interface AccountRateLimitsUpdatedNotification
  extends Static<typeof AccountRateLimitsUpdatedNotification> {}

export const ThreadResyncNotification = Type.Object(
  {
    threadId,
    after: count("The number after which the client wanted to hear all."),
    seq: count("The number of the last notification that is gone."),
  },
  {
    $id: "ThreadResyncNotification",
    description:
      "Some of what the client missed is gone: it should read the thread again before it goes on.",
  },
);
export interface ThreadResyncNotification extends Static<typeof ThreadResyncNotification> {}

export const McpServerStatusUpdatedNotification = Type.Object(
  {
    threadId: Nullable(Type.String(), { description: "The thread it is started for, if for one." }),
    name: Type.String({ description: "The server, as the config names it." }),
    status: Type.Enum(["starting", "ready", "failed", "cancelled"], {
      description: "How far it has come.",
    }),
    error: Nullable(Type.String(), { description: "Why it failed." }),
    failureReason: Type.Null({ description: "Always null: `error` says it." }),
  },
  { $id: "McpServerStatusUpdatedNotification", description: "How far an MCP server has come." },
);
export interface McpServerStatusUpdatedNotification
  extends Static<typeof McpServerStatusUpdatedNotification> {}

export const RemoteControlStatusChangedNotification = Type.Object(
  {
    status: Type.String({ description: "`disabled`: nobody steers us from afar." }),
    serverName: Type.String({ description: "This machine." }),
    installationId: Type.String({ description: "Names this installation." }),
    environmentId: Type.Null({ description: "Always null." }),
  },
  {
    $id: "RemoteControlStatusChangedNotification",
    description: "Whether we are steered from afar.",
  },
);
export interface RemoteControlStatusChangedNotification
  extends Static<typeof RemoteControlStatusChangedNotification> {}

export const statusNotifications = [
  defineNotification({
    name: "thread/status/changed",
    summary: "The status of a thread changed.",
    scope: "server",
    params: ThreadStatusChangedNotification,
  }),
  defineNotification({
    name: "thread/tokenUsage/updated",
    summary: "The token usage of a thread changed.",
    scope: "thread",
    params: ThreadTokenUsageUpdatedNotification,
  }),
  defineNotification({
    name: "thread/compacted",
    summary: "The conversation history was replaced with a summary.",
    scope: "thread",
    params: ContextCompactedNotification,
  }),
  defineNotification({
    name: "thread/resync",
    summary: "The client missed notifications that are no longer available.",
    scope: "connection",
    params: ThreadResyncNotification,
  }),
  defineNotification({
    name: "account/rateLimits/updated",
    summary: "The rate limits or their usage changed.",
    scope: "thread",
    params: AccountRateLimitsUpdatedNotification,
  }),
  defineNotification({
    name: "warning",
    summary: "A problem that does not stop the turn.",
    scope: "thread",
    params: WarningNotification,
  }),
  defineNotification({
    name: "deprecationNotice",
    summary: "The client used a deprecated feature.",
    scope: "connection",
    params: DeprecationNoticeNotification,
  }),
  defineNotification({
    name: "mcpServer/startupStatus/updated",
    summary: "The startup status of an MCP server changed.",
    scope: "thread",
    params: McpServerStatusUpdatedNotification,
  }),
  defineNotification({
    name: "remoteControl/status/changed",
    summary: "The status of remote control. Always disabled here.",
    scope: "connection",
    params: RemoteControlStatusChangedNotification,
  }),
];
