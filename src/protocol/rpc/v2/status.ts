import Type, { type Static } from "typebox";
import { described, Nullable, since, taggedUnion } from "../../schema.js";
import { defineNotification } from "../declare.js";

const threadId = Type.String({ description: "Thread id." });
const turnId = Type.String({ description: "Turn id." });
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
        description: "Pending requests that the thread waits for.",
      }),
    }),
  ],
  "Status of a thread.",
);
/** Status of a thread. */
export type ThreadStatus =
  | { type: "notLoaded" | "idle" | "systemError" }
  | { type: "active"; activeFlags: ("waitingOnApproval" | "waitingOnUserInput")[] };

export const ThreadStatusChangedNotification = Type.Object(
  { threadId, status: described(ThreadStatus, "New status.") },
  { $id: "ThreadStatusChangedNotification", description: "The status of a thread changed." },
);
export interface ThreadStatusChangedNotification
  extends Static<typeof ThreadStatusChangedNotification> {
  status: ThreadStatus;
}

export const TokenUsageBreakdown = Type.Object(
  {
    totalTokens: count("Input and output tokens."),
    inputTokens: count("Input tokens, including cached ones."),
    cachedInputTokens: count("Cached input tokens."),
    cacheWriteInputTokens: since("0.166", count("Input tokens written to the cache.")),
    outputTokens: count("Output tokens, including reasoning."),
    reasoningOutputTokens: count("Reasoning tokens."),
  },
  { $id: "TokenUsageBreakdown", description: "Token usage by kind." },
);
export interface TokenUsageBreakdown extends Static<typeof TokenUsageBreakdown> {}

export const ThreadTokenUsage = Type.Object(
  {
    total: described(TokenUsageBreakdown, "Usage of the whole thread."),
    last: described(TokenUsageBreakdown, "Usage of the last request."),
    modelContextWindow: Nullable(Type.Integer(), {
      description: "Context window of the model in tokens, if known.",
    }),
  },
  { $id: "ThreadTokenUsage", description: "Token usage of a thread." },
);
export interface ThreadTokenUsage extends Static<typeof ThreadTokenUsage> {}

export const ThreadTokenUsageUpdatedNotification = Type.Object(
  { threadId, turnId, tokenUsage: described(ThreadTokenUsage, "Token usage.") },
  {
    $id: "ThreadTokenUsageUpdatedNotification",
    description: "The token usage of a thread changed.",
  },
);
export interface ThreadTokenUsageUpdatedNotification
  extends Static<typeof ThreadTokenUsageUpdatedNotification> {}

export const ContextCompactedNotification = Type.Object(
  { threadId, turnId },
  {
    $id: "ContextCompactedNotification",
    description: "The conversation history was replaced with a summary.",
  },
);
export interface ContextCompactedNotification extends Static<typeof ContextCompactedNotification> {}

export const WarningNotification = Type.Object(
  {
    threadId: Nullable(Type.String(), { description: "Thread id; null if it concerns all." }),
    message: Type.String({ description: "Message for the user." }),
  },
  { $id: "WarningNotification", description: "A problem that does not stop the turn." },
);
export interface WarningNotification extends Static<typeof WarningNotification> {}

export const DeprecationNoticeNotification = Type.Object(
  {
    summary: Type.String({ description: "The deprecated feature." }),
    details: Nullable(Type.String(), { description: "Details and remedy." }),
  },
  { $id: "DeprecationNoticeNotification", description: "The client used a deprecated feature." },
);
export interface DeprecationNoticeNotification
  extends Static<typeof DeprecationNoticeNotification> {}

export const RateLimitWindow = Type.Object(
  {
    usedPercent: Type.Number({ description: "Used share in percent." }),
    windowDurationMins: Nullable(Type.Integer(), { description: "Length of the window." }),
    resetsAt: Nullable(Type.Integer(), { description: "Reset time in Unix seconds." }),
  },
  { $id: "RateLimitWindow", description: "Usage of a rate limit window." },
);
export interface RateLimitWindow extends Static<typeof RateLimitWindow> {}

export const CreditsSnapshot = Type.Object(
  {
    hasCredits: Type.Boolean({ description: "True if there are credits." }),
    unlimited: Type.Boolean({ description: "True if credits are unlimited." }),
    balance: Nullable(Type.String(), { description: "Remaining credits." }),
  },
  { $id: "CreditsSnapshot", description: "Prepaid credits." },
);
export interface CreditsSnapshot extends Static<typeof CreditsSnapshot> {}

export const RateLimitSnapshot = Type.Object(
  {
    limitId: Nullable(Type.String(), { description: "Limit id." }),
    limitName: Nullable(Type.String(), { description: "Display name." }),
    normalModelSlug: since(
      "0.166",
      Nullable(Type.String(), { description: "Model that the limit applies to." }),
    ),
    primary: Nullable(RateLimitWindow, { description: "Short window." }),
    secondary: Nullable(RateLimitWindow, { description: "Long window." }),
    credits: Nullable(CreditsSnapshot, { description: "Prepaid credits." }),
    individualLimit: since("0.166", Type.Null({ description: "Always null." })),
    spendControlReached: since(
      "0.166",
      Nullable(Type.Boolean(), {
        description: "True if the spending limit is reached.",
      }),
    ),
    planType: Nullable(Type.String(), { description: "Plan of the account." }),
    rateLimitReachedType: since(
      "0.166",
      Nullable(Type.String(), { description: "Limit that is reached." }),
    ),
  },
  { $id: "RateLimitSnapshot", description: "Rate limits of the account and their usage." },
);
export interface RateLimitSnapshot extends Static<typeof RateLimitSnapshot> {}

export const AccountRateLimitsUpdatedNotification = Type.Object(
  { rateLimits: described(RateLimitSnapshot, "Current rate limits.") },
  {
    $id: "AccountRateLimitsUpdatedNotification",
    description: "The rate limits or their usage changed.",
  },
);
export interface AccountRateLimitsUpdatedNotification
  extends Static<typeof AccountRateLimitsUpdatedNotification> {}

export const ThreadResyncNotification = Type.Object(
  {
    threadId,
    after: count("`seq` after which the client requested all notifications."),
    seq: count("`seq` of the last notification that is no longer available."),
  },
  {
    $id: "ThreadResyncNotification",
    description:
      "Missed notifications are no longer available: the client should read the thread again.",
  },
);
export interface ThreadResyncNotification extends Static<typeof ThreadResyncNotification> {}

export const McpServerStatusUpdatedNotification = Type.Object(
  {
    threadId: Nullable(Type.String(), { description: "Thread id, if it is started for one." }),
    name: Type.String({ description: "Name of the server in the config." }),
    status: Type.Enum(["starting", "ready", "failed", "cancelled"], {
      description: "Status.",
    }),
    error: Nullable(Type.String(), { description: "Error message." }),
    failureReason: Type.Null({ description: "Always null; see `error`." }),
  },
  {
    $id: "McpServerStatusUpdatedNotification",
    description: "The startup status of an MCP server changed.",
  },
);
export interface McpServerStatusUpdatedNotification
  extends Static<typeof McpServerStatusUpdatedNotification> {}

export const RemoteControlStatusChangedNotification = Type.Object(
  {
    status: Type.String({ description: "Always `disabled`." }),
    serverName: Type.String({ description: "Host name." }),
    installationId: Type.String({ description: "Installation id." }),
    environmentId: Type.Null({ description: "Always null." }),
  },
  {
    $id: "RemoteControlStatusChangedNotification",
    description: "The status of remote control.",
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
    since: "0.166",
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
    until: "0.104",
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
    since: "0.166",
  }),
  defineNotification({
    name: "deprecationNotice",
    summary: "The client used a deprecated feature.",
    scope: "connection",
    params: DeprecationNoticeNotification,
    since: "0.166",
  }),
  defineNotification({
    name: "mcpServer/startupStatus/updated",
    summary: "The startup status of an MCP server changed.",
    scope: "thread",
    params: McpServerStatusUpdatedNotification,
    since: "0.166",
  }),
  defineNotification({
    name: "remoteControl/status/changed",
    summary: "The status of remote control. Always disabled here.",
    scope: "connection",
    params: RemoteControlStatusChangedNotification,
    since: "0.166",
  }),
];
