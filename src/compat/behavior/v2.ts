import { type ExperimentalSet, experimentalOf104, experimentalOf166 } from "./experimental.js";

/** How the second JSON-RPC surface, that of threads and turns, is spoken. */
export interface V2Behavior {
  /** `codex/event/*` is sent beside the notifications of threads and turns. */
  legacyEvents: boolean;
  /** What clients of the older methods hear of a thread: its events, or both families. */
  v1Notifications: "events" | "both";
  /** Notifications say when they were made (`emittedAtMs`). */
  emittedAt: boolean;
  /** How lists of threads name a place: by the time and the thread, or by a time alone. */
  listCursor: "time and thread" | "time";
  /** Who goes on with a thread is told what it has cost. */
  usageOnResume: boolean;
  /** Which items `turn/completed` carries. */
  completedTurnItems: "none" | "last message";
  /** Whether `model/list` tells of efforts that are in no closed list of older clients. */
  newEfforts: "always" | "if experimental";
  /** What `config/read` tells of settings that are not set: those of a list, or all with their defaults. */
  configView: "known" | "all";
  /** What `config/read` tells of the search tool: whether it is on, or how it searches. */
  searchTool: "switch" | "settings";
  /** Input that comes while a turn runs is answered as a turn of its own, which never ends. */
  steeringStartsTurn: boolean;
  /** A message that is sent twice under one name of the client is taken twice. */
  acceptsDuplicates: boolean;
  /** What is said to who interrupts a thread in which nothing runs: that it is so, or that it is done. */
  idleInterrupt: "refused" | "done";
  /** When `turn/started` is told: with the reply to who began it, or when the turn has begun. */
  turnStartedTiming: "with the reply" | "when it begins";
  /** An item that is declined is told as complete at once, and once more when the turn goes on. */
  declinesTwice: boolean;
  /** What a patch says of itself is told like the output of a command. */
  patchOutputDeltas: boolean;
  /** Who has introduced itself is told at once whether we are steered from afar. */
  remoteControlStatus: boolean;
  /** What only clients may use that asked for what can still change. */
  experimental: ExperimentalSet;
  /** What can still change, so that types are generated without it unless they are asked for. */
  unstable: ExperimentalSet;
  /** Notifications that clients did not know yet, or do not know any more. */
  hiddenNotifications: ReadonlySet<string>;
  /** Types of items that clients did not know yet. */
  hiddenItemTypes: ReadonlySet<string>;
  /** How files are searched: whether capital letters count, and whether folders are found. */
  search: { smartCase: boolean; folders: boolean };
  /** How `command/exec` tells of commands that did not end by themselves, or did not start. */
  commandExec: { endsAreErrors: boolean; failurePrefix: string };
  /** Fields that a shape did not have yet, by the shape's name or the type of the item. */
  lacks: Readonly<Record<string, readonly string[]>>;
}

const times = ["startedAtMs", "completedAtMs"];

/** As in 0.104. */
export const v2Of104: V2Behavior = {
  legacyEvents: true,
  v1Notifications: "both",
  emittedAt: false,
  listCursor: "time and thread",
  usageOnResume: false,
  completedTurnItems: "none",
  newEfforts: "if experimental",
  steeringStartsTurn: true,
  acceptsDuplicates: true,
  idleInterrupt: "done",
  experimental: experimentalOf104,
  unstable: experimentalOf104,
  turnStartedTiming: "with the reply",
  declinesTwice: true,
  patchOutputDeltas: true,
  remoteControlStatus: false,
  hiddenNotifications: new Set([
    "deprecationNotice",
    "item/fileChange/patchUpdated",
    "mcpServer/startupStatus/updated",
    "serverRequest/resolved",
    "skills/changed",
    "thread/closed",
    "thread/goal/cleared",
    "thread/goal/updated",
    "thread/readState/changed",
    "thread/settings/updated",
    "thread/status/changed",
    "warning",
  ]),
  hiddenItemTypes: new Set(["dynamicToolCall"]),
  configView: "known",
  searchTool: "switch",
  search: { smartCase: true, folders: false },
  commandExec: { endsAreErrors: true, failurePrefix: "exec failed" },
  lacks: {
    Model: [
      "additionalSpeedTiers",
      "availabilityNux",
      "availableAccessPrograms",
      "defaultServiceTier",
      "modelSpecialty",
      "multiAgentVersion",
      "serviceTiers",
      "upgradeInfo",
    ],
    Config: [
      "approvals_reviewer",
      "browser_use",
      "computer_use",
      "desktop",
      "model_auto_compact_token_limit_scope",
      "service_tier",
    ],
    ConfigLayerSource: ["profile"],
    ConfigRequirementsReadResponse: ["supportsIndependentSpeedModes"],
    InitializeResponse: ["codexHome", "platformFamily", "platformOs", "serverInfo"],
    Thread: [
      "agentNickname",
      "agentRole",
      "canAcceptDirectInput",
      "daybreakEnabled",
      "environments",
      "ephemeral",
      "extra",
      "forkedFromId",
      "historyMode",
      "model",
      "name",
      "originator",
      "parentThreadId",
      "projectId",
      "reasoningEffort",
      "recencyAt",
      "section",
      "sectionEnteredAt",
      "sessionId",
      "status",
      "threadSource",
    ],
    ReadOnly: ["networkAccess"],
    Turn: ["completedAt", "durationMs", "itemsView", "responseId", "rootTurnId", "startedAt"],
    ThreadStartResponse: [
      "activePermissionProfile",
      "approvalsReviewer",
      "disabledPluginIds",
      "instructionSources",
      "multiAgentMode",
      "runtimeWorkspaceRoots",
      "serviceTier",
    ],
    ThreadResumeResponse: [
      "activePermissionProfile",
      "approvalsReviewer",
      "collaborationMode",
      "disabledPluginIds",
      "initialTurnsPage",
      "instructionSources",
      "itemsBackwardsCursor",
      "multiAgentMode",
      "runtimeWorkspaceRoots",
      "serviceTier",
      "turnsBackwardsCursor",
    ],
    ThreadListResponse: ["backwardsCursor", "readStates"],
    ItemStartedNotification: ["startedAtMs"],
    ItemCompletedNotification: ["completedAtMs"],
    CommandExecutionRequestApprovalParams: [
      "availableDecisions",
      "environmentId",
      "kind",
      "startedAtMs",
    ],
    FileChangeRequestApprovalParams: ["startedAtMs"],
    McpServerOauthLoginCompletedNotification: ["loginId", "threadId"],
    McpServerOauthLoginResponse: ["loginId"],
    McpServerStatus: [
      "httpOrigin",
      "pluginId",
      "runtimeStatus",
      "serverCapabilities",
      "serverInfo",
      "toolListMeta",
      "toolsError",
    ],
    FuzzyFileSearchResult: ["match_type"],
    SkillMetadata: ["pluginId"],
    SkillInterface: ["iconLargeUrl", "iconSmallUrl"],
    Account: ["workspaceName"],
    GetAccountRateLimitsResponse: [
      "accountId",
      "ordinaryUsageAllowed",
      "rateLimitResetCredits",
      "rateLimitUpsell",
    ],
    AccountUpdatedNotification: ["planType"],
    AccountLoginCompletedNotification: ["onboardingEntrypoint"],
    GetAccountResponse: ["workspaceRouting"],
    userMessage: ["clientId", ...times],
    agentMessage: ["delivery", "memoryCitation", "phase", "questions", ...times],
    reasoning: times,
    commandExecution: ["pluginId", "scriptPath", "source", ...times],
    fileChange: times,
    mcpToolCall: ["appContext", "mcpAppUi", "pluginId", "readOnlyHint", ...times],
    contextCompaction: times,
    plan: times,
    webSearch: ["results", ...times],
    imageView: times,
    enteredReviewMode: times,
    exitedReviewMode: times,
    McpToolCallResult: ["_meta"],
    TurnError: ["misalignment"],
    TokenUsageBreakdown: ["cacheWriteInputTokens"],
    RateLimitSnapshot: [
      "individualLimit",
      "normalModelSlug",
      "rateLimitReachedType",
      "spendControlReached",
    ],
    ToolRequestUserInputParams: ["autoResolutionMs", "isBlocking"],
    DynamicToolCallParams: ["namespace"],
  },
};

/** For what is older: it had no such surface, but for clients that speak it all the same. */
export const v2Before: V2Behavior = { ...v2Of104, v1Notifications: "events" };

/** As in 0.166. */
export const v2Of166: V2Behavior = {
  legacyEvents: false,
  v1Notifications: "events",
  emittedAt: true,
  listCursor: "time",
  usageOnResume: true,
  completedTurnItems: "last message",
  newEfforts: "always",
  steeringStartsTurn: false,
  acceptsDuplicates: true,
  idleInterrupt: "refused",
  experimental: experimentalOf166,
  unstable: experimentalOf166,
  turnStartedTiming: "when it begins",
  declinesTwice: false,
  patchOutputDeltas: false,
  remoteControlStatus: true,
  hiddenNotifications: new Set(["thread/compacted"]),
  hiddenItemTypes: new Set(),
  configView: "all",
  searchTool: "settings",
  search: { smartCase: false, folders: true },
  commandExec: { endsAreErrors: false, failurePrefix: "failed to spawn command" },
  lacks: {
    InitializeResponse: ["serverInfo"],
    Turn: ["responseId"],
    // They had these for a while, and have them no more.
    ReadOnly: ["access"],
    WorkspaceWrite: ["readOnlyAccess"],
  },
};
