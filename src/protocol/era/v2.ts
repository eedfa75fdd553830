/** How the second JSON-RPC surface, that of threads and turns, is spoken. */
export interface V2Dialect {
  /** `codex/event/*` is sent beside the notifications of threads and turns. */
  legacyEvents: boolean;
  /** Notifications say when they were made (`emittedAtMs`). */
  emittedAt: boolean;
  /** Clients are told when a thread becomes active or idle. */
  tellsStatus: boolean;
  /** Which items `turn/completed` carries. */
  turnItems: "none" | "last message";
  /** Whether `model/list` tells of efforts that are in no closed list of older clients. */
  newEfforts: "always" | "if experimental";
  /** Fields that a shape did not have yet, by the shape's name or the type of the item. */
  lacks: Readonly<Record<string, readonly string[]>>;
}

const times = ["startedAtMs", "completedAtMs"];

/** As in 0.104, and for what is older: it had no such surface. */
export const v2Of104: V2Dialect = {
  legacyEvents: true,
  emittedAt: false,
  tellsStatus: false,
  turnItems: "none",
  newEfforts: "if experimental",
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
    InitializeResponse: ["codexHome", "platformFamily", "platformOs"],
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
    Turn: ["completedAt", "durationMs", "itemsView", "rootTurnId", "startedAt"],
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
  },
};

/** As in 0.166. */
export const v2Of166: V2Dialect = {
  legacyEvents: false,
  emittedAt: true,
  tellsStatus: true,
  turnItems: "last message",
  newEfforts: "always",
  lacks: {},
};
