import type { Delta } from "./behavior/index.js";

/** Values of 0.104 that 0.166 changed. */
export const since166: Delta = {
  engine: {
    callOrder: "after the response",
    compactionEvent: "with a warning",
    contextForm: "2026-02",
    invalidImageNote: "image format",
    recordsCalls: false,
    skillsSection: "always",
    tokenCountEvents: "before and after",
    unknownModelWarning: "in the turn",
    webSearchEvents: "all",
  },
  exec: {
    beginsAtApproval: false,
    commandKnowledge: "2026",
    sessionPatches: "applied",
    threadVariables: ["CODEX_THREAD_ID"],
  },
  execJson: {
    completedOnly: new Set(["file_change"]),
    reasoning: "by part",
    reportsClient: false,
    turnStartSource: "queues",
  },
  mcp: {
    resultForm: "parts if pictures",
    toolNames: "mcp",
  },
  model: {
    catalogue: "2026-02",
    requestForm: "2026-02",
    streamFailures: "2026-02",
  },
  tools: {
    planTool: "unless refused",
    richSchemas: false,
  },
  v2: {
    idleInterrupt: "done",
    legacyEvents: true,
    newEfforts: "if experimental",
    remoteControlStatus: false,
  },
};

/** Values of 0.45 that 0.104 changed. It had no v2; clients that speak it get that of 0.104. */
export const since104: Delta = {
  engine: {
    callOrder: "one by one",
    compactedHistory: "bridge",
    compactionEvent: "as a message",
    contextForm: "2025",
    failedRequest: "continue",
    invalidImageNote: "left out",
    policyTag: "mode",
    rawReasoningEvents: false,
    recordsTasks: false,
    reviewForm: "by message",
    skillsSection: "never",
    unknownModelWarning: "never",
    userMessageFields: "kind",
    webSearchEvents: "searches",
  },
  events: { fileChange: "keyed", placed: false, userMessages: "of the engine" },
  exec: {
    commandKnowledge: "2025-09",
    eventGrouping: "command",
    failureFormat: "short",
    outputForm: "2025-10",
    sessionPatches: "run",
    sessionTools: "2025",
    threadVariables: [],
  },
  execJson: {
    completedOnly: new Set(["file_change", "web_search"]),
    modelSearchIds: false,
    nullExitCode: false,
  },
  mcp: {
    startupEventWithoutServers: false,
    resultForm: "sorted text",
    toolNames: "server",
  },
  model: {
    betaApi: true,
    catalogue: "2025-10",
    failures: "2025",
    requestForm: "2025",
    loginReplacesKey: true,
    rateLimitFormat: "2025",
  },
  rpc: {
    errorDetail: "bare",
    mcpThreadIds: false,
    v1Form: "2025",
  },
  tools: {
    planTool: "only if asked",
    reviewTools: "commands",
    userInputTool: "in plan mode",
  },
};

/** Values of 0.42 that 0.45 changed. JSON-RPC was inside its MCP server. */
export const since45: Delta = {
  exec: { eventGrouping: "run", failureFormat: "debug", outputForm: "2025-09" },
  execJson: {
    completedOnly: new Set(["file_change"]),
    failureExitCode: "none",
    itemTag: "item_type",
    messageType: "assistant_message",
    opening: "session.created",
    originator: "codex_cli_rs",
  },
  model: { catalogue: "2025-09" },
  rpc: {
    approvalParams: "snake_case",
    errorDetail: "reasoned",
    v1RequiresInitialize: false,
  },
  tools: { planTool: "if asked" },
};

/** Values of 0.39 that 0.42 changed. */
export const since42: Delta = { exec: { commandKnowledge: "2025-08" } };
