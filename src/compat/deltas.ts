import { experimentalOf104, experimentalOf166 } from "./behavior/experimental.js";
import type { Delta } from "./behavior/index.js";

/**
 * Our deviations from 0.166, as the values that 0.166 has, with the reason why ours differ.
 *
 * A new difference of our own form goes here; the value of `current` stands beside its switch.
 */
export const sinceCurrent: Delta = {
  engine: {
    // Ours adds nothing to the conversation that the user or the project did not write.
    abortMarkers: true,
    labelsImages: true,
    forksRepeatOpening: true,
    personalityInInstructions: true,
    instructionsForm: "agents_md",
    opening: "skills first",
    skillsSection: "by themselves",
    // Ours continues where the reference gives up: a full window is summarized.
    contextOverflow: "fail",
    // Ours reports a summary as a message, which clients of every version show.
    compactionEvent: "as an item",
    // Ours answers each op, so that no client has to guess whether it was received.
    idleInterruptEvent: false,
    // Ours names the cause of an abort, a retry and a wait.
    interruptedReview: "interrupted",
    retryNotice: "short",
    retryWaitNotice: false,
    // Rollouts of ours are read by versions with either tag.
    policyTag: "type",
    // Ours sends reasoning in full only to clients that ask for it.
    rawReasoningEvents: true,
    // Ours emits nothing twice.
    repeatsTurnDiff: true,
    tokenCountEvents: "at the end",
    webSearchEvents: "all as known",
    // Ours resolves mentions for every client, and echoes messages with all their parts.
    resolvesMentions: false,
    userMessageFields: "elements",
    // Ours keeps the part of a response that arrived before the stream broke.
    retriesVerbatim: true,
    // Ours runs a review in the conversation itself, so that every client can follow it.
    reviewForm: "by thread",
    // Ours accepts any model without comment: the catalogue is not the only list of models.
    unknownModelWarning: "before it",
  },
  exec: {
    // Ours asks whenever any version would ask.
    commandKnowledge: "latest",
    // Ours requests the folder that a patch needs instead of failing.
    requestsWritableRoot: false,
    // On the queues ours reports each run; over JSON-RPC (`onRpc`) calls are items.
    beginsAtApproval: true,
    detailedEvents: true,
    eventGrouping: "call",
    patchEventGrouping: "call",
    onRpc: undefined,
    // Ours formats outputs and failures alike for all models and tools.
    outputTruncation: "limit",
    patchRefusal: "apply_patch verification failed",
    plainOutputForPatchers: true,
    sessionPatches: "framed",
    // Ours does not mention rules to the model: they are the user's.
    reportsNewRules: true,
  },
  execJson: {
    // Scripts tell causes apart by the exit code.
    failureExitCode: "one",
    // Ours emits every item, and ends the items of an interrupted turn.
    hiddenItemTypes: new Set(["tool_call"]),
    interruptEvents: false,
  },
  tools: {
    // Ours offers plans and questions to every model and in every mode.
    planTool: "only if asked",
    userInputTool: "always",
    // Ours keeps the schemas of tools alike for all models.
    enumsInSchemas: true,
    imageDetail: true,
    // A review reads; it needs commands only.
    reviewTools: "all but search",
  },
  mcp: {
    // Ours names tools in one string and sends text as text, which every provider accepts.
    toolNames: "namespace",
    contentAsParts: "always",
    includesWallTime: true,
    // Ours emits no event about servers if there are none.
    startupEventWithoutServers: true,
  },
  model: {
    // Requests of ours suit every provider of the Responses API: no private metadata.
    conversationIdHeader: false,
    sessionHeaders: "session-id",
    turnMetadata: "whole",
    sendsItemIds: true,
    instructionsIn: "conversation",
    summaryByFamily: true,
    // On the queues the program itself is the originator, and limits have their first format.
    clientIsOriginator: true,
    rateLimitFormat: "2026",
    onRpc: undefined,
    // Ours waits as long as the server asks, and quotes the server.
    retryAfterHeader: false,
    failureTexts: "2026",
    statusTexts: "codex",
  },
  events: {
    // Ours has one event per fact, with the fields that clients of every version read.
    items: "all",
    contentDeltas: false,
    placed: true,
    configuredFully: true,
    fileChange: "tagged with null",
    mcpResult: "wrapped",
    // Ours returns to a bookmark, shows progress and accepts submissions by an event.
    bookmarks: false,
    hidden: new Set([
      "dynamic_tool_call_response",
      "mcp_tool_call_progress",
      "step_complete",
      "submission_accepted",
    ]),
  },
  rpc: {
    // Errors of ours name the position and the remedy, for input that is no message too.
    answersMalformed: false,
    errorDetail: "parsed",
    // Ours numbers submissions and omits what is unset, as v1 did first.
    nullEffort: true,
    submissionIds: "uuid",
    // Clients written for the first MCP server never send `initialize`.
    v1RequiresInitialize: true,
  },
  v2: {
    // A message that a client repeats after a lost connection is taken once.
    acceptsDuplicates: true,
    // Nothing of ours is locked behind a capability.
    experimental: experimentalOf166,
    // Interrupting an idle thread achieves what the caller wants.
    idleInterrupt: "refused",
    // Older clients reject models with efforts they do not know.
    newEfforts: "always",
    // Ours has no remote control.
    remoteControlStatus: true,
  },
};

/** Values of 0.104 that 0.166 changed. */
export const since166: Delta = {
  engine: {
    callsStart: "after the response",
    compactionEvent: "with a warning",
    invalidImageNote: "image format",
    opening: "policies first",
    patchPreviews: false,
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
    lacks: { usage: ["cache_write_input_tokens", "reasoning_output_tokens"] },
    reasoning: "by part",
    reportsClient: false,
    turnStartSource: "queues",
  },
  mcp: {
    contentAsParts: "with pictures",
    includesHints: false,
    includesWallTime: false,
    toolNames: "mcp",
  },
  model: {
    catalogue: "2026-02",
    instructionsIn: "field",
    sendsItemIds: false,
    sessionHeaders: "session_id",
    summaryByFamily: false,
    turnMetadata: "short",
  },
  tools: {
    enumsInSchemas: false,
    imageDetail: false,
    permissionsTool: false,
    planTool: "unless refused",
  },
  v2: {
    commandExec: { endsAreErrors: true, failurePrefix: "exec failed" },
    completedTurnItems: "none",
    configView: "known",
    declinesTwice: true,
    emittedAt: false,
    experimental: experimentalOf104,
    unstable: experimentalOf104,
    idleInterrupt: "done",
    legacyEvents: true,
    listCursor: "time and thread",
    newEfforts: "if experimental",
    patchOutputDeltas: true,
    remoteControlStatus: false,
    search: { smartCase: true, folders: false },
    searchTool: "switch",
    steeringStartsTurn: true,
    turnStartedTiming: "with the reply",
    usageOnResume: false,
    v1Notifications: "both",
  },
};

/** Values of 0.45 that 0.104 changed. */
export const since104: Delta = {
  engine: {
    abortMarkers: false,
    autoCompactPercent: undefined,
    callsStart: "at once",
    compactedHistory: "bridge",
    compactionEvent: "as a message",
    contextOverflow: "summarize",
    environmentEvents: true,
    forksRepeatOpening: false,
    instructionsForm: "user_instructions",
    invalidImageNote: "left out",
    labelsImages: false,
    opening: "policies in the environment",
    parallelCalls: false,
    personalityInInstructions: false,
    policyTag: "mode",
    promptFrontMatter: false,
    rawReasoningEvents: false,
    recordsImmediately: false,
    recordsTasks: false,
    restoresTokenUsage: false,
    retriesVerbatim: false,
    retryNotice: "with cause",
    reviewForm: "by message",
    skillsSection: "never",
    summaryRequest: "by instructions",
    taskStartedMode: false,
    unknownModelWarning: "never",
    userMessageFields: "kind",
    webSearchEvents: "searches",
  },
  events: {
    configuredFully: false,
    errorInfo: false,
    fileChange: "keyed",
    hidden: new Set([
      "mcp_tool_call_progress",
      "step_complete",
      "user_message",
      "view_image_tool_call",
    ]),
    items: "plans",
    placed: false,
  },
  exec: {
    approvedRunsSandboxed: false,
    commandKnowledge: "2025",
    denialRule: "any-failure",
    detailedEvents: false,
    failureFormat: "short",
    outputOrder: "arrival",
    outputTruncation: "lines",
    patchEventGrouping: "run",
    patchRefusal: "error",
    reportsNewRules: false,
    retryApprovesSession: true,
    rulesFiles: false,
    sessionPatches: "run",
    sessionTools: "2025",
    skipsProfile: false,
    threadVariables: [],
  },
  execJson: {
    completedOnly: new Set(["file_change", "web_search"]),
    hiddenItemTypes: new Set(["error", "tool_call"]),
    lacks: {
      mcp_tool_call: ["arguments", "result", "error"],
      usage: ["cache_write_input_tokens", "reasoning_output_tokens"],
      web_search: ["action"],
    },
    modelSearchIds: false,
    nullExitCode: false,
  },
  mcp: {
    bareCommandServes: true,
    contentAsParts: "never",
    defaultCallTimeoutMs: Number.POSITIVE_INFINITY,
    includesCause: false,
    resourceTools: false,
    sortedContent: true,
    startupErrorPrefix: false,
    startupEventWithoutServers: false,
    startupEvents: false,
    toolNames: "server",
  },
  model: {
    betaHeader: true,
    catalogue: "2025-10",
    clientIsOriginator: false,
    completesAtStreamEnd: true,
    conversationIdHeader: true,
    failureTexts: "2025",
    finalFailureCodes: false,
    loginReplacesKey: true,
    rateLimitFormat: "2025",
    retriesUnauthorized: true,
    retryAfterHeader: true,
    turnMetadata: "none",
  },
  rpc: {
    errorDetail: "bare",
    mcpThreadIds: false,
    nullEffort: false,
    submissionIds: "counted",
  },
  tools: {
    planTool: "only if asked",
    reviewTools: "commands",
    userInputTool: "in plan mode",
    webSearchTool: "if asked",
  },
  // It had no v2; clients that speak it all the same get that of 0.104.
  v2: { v1Notifications: "events" },
};

/** Values of 0.42 that 0.45 changed. JSON-RPC was inside its MCP server. */
export const since45: Delta = {
  engine: { environmentEvents: false },
  exec: { eventGrouping: "run", failureFormat: "debug", plainOutputForPatchers: false },
  execJson: {
    completedOnly: new Set(["file_change"]),
    failureExitCode: "none",
    hiddenItemTypes: new Set(["error", "mcp_tool_call", "tool_call", "web_search"]),
    itemTag: "item_type",
    lacks: {},
    messageType: "assistant_message",
    opening: "session.created",
    originator: "codex_cli_rs",
    turnEvents: false,
  },
  model: { catalogue: "2025-09" },
  rpc: {
    approvalParams: "snake_case",
    errorDetail: "reasoned",
    resumeNotice: "codex/event",
    shutdownOnArchive: false,
    v1RequiresInitialize: false,
  },
  tools: { planTool: "if asked" },
};

/** Values of 0.39 that 0.42 changed. */
export const since42: Delta = { exec: { escalationOffer: "on-request" } };
