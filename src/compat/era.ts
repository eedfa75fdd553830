import { CodexError } from "../protocol/error.js";
import { type EngineBehavior, engine2025, engine2026 } from "./behavior/engine.js";
import { type EventBehavior, events2025, events2026 } from "./behavior/events.js";
import { type ExecBehavior, exec2025, exec2026 } from "./behavior/exec.js";
import {
  type ExecJsonBehavior,
  execJsonOf42,
  execJsonOf45,
  execJsonOf104,
  execJsonOf166,
} from "./behavior/exec-json.js";
import { type McpBehavior, mcp2025, mcp2026 } from "./behavior/mcp.js";
import { type ModelBehavior, model2025, model2026 } from "./behavior/model.js";
import { type RpcBehavior, rpc2025, rpc2026, rpcOfMcp } from "./behavior/rpc.js";
import { type ToolBehavior, tools2025, tools2026 } from "./behavior/tools.js";
import { type V2Behavior, v2Before, v2Of104, v2Of166 } from "./behavior/v2.js";

export type {
  EngineBehavior,
  EventBehavior,
  ExecBehavior,
  ExecJsonBehavior,
  McpBehavior,
  ModelBehavior,
  RpcBehavior,
  ToolBehavior,
  V2Behavior,
};

/**
 * What differs from one version of the reference to another, said once.
 *
 * Code reads a named row entry (`era.model.betaHeader`); it never asks which era it is in.
 */
export interface Era {
  name: EraName;
  /** The version of the reference whose behaviour this is, as `User-Agent` and rollouts say it. */
  compatibleWith: string;
  model: ModelBehavior;
  /** Whose defaults the settings have, by month. */
  config: "2025-09" | "2025-10" | "2026-02" | "2026-11" | "current";
  engine: EngineBehavior;
  exec: ExecBehavior;
  tools: ToolBehavior;
  execJson: ExecJsonBehavior;
  mcp: McpBehavior;
  events: EventBehavior;
  rpc: RpcBehavior;
  v2: V2Behavior;
}

/** The versions a surface can be asked to speak like; `current` is our own newest form. */
export type EraName = "0.39" | "0.42" | "0.45" | "0.104" | "0.166" | "current";

const eras: Record<EraName, Era> = {
  "0.39": {
    name: "0.39",
    compatibleWith: "0.39.0",
    config: "2025-09",
    model: model2025,
    engine: engine2025,
    exec: { ...exec2025, escalationOffer: "on-request" },
    execJson: execJsonOf42,
    tools: tools2025,
    mcp: mcp2025,
    events: events2025,
    rpc: rpcOfMcp,
    v2: v2Before,
  },
  "0.42": {
    name: "0.42",
    compatibleWith: "0.42.0",
    config: "2025-10",
    model: model2025,
    engine: engine2025,
    exec: exec2025,
    execJson: execJsonOf42,
    tools: tools2025,
    mcp: mcp2025,
    events: events2025,
    rpc: rpcOfMcp,
    v2: v2Before,
  },
  "0.45": {
    name: "0.45",
    compatibleWith: "0.45.0",
    config: "2025-10",
    model: { ...model2025, catalogue: "2025-10" },
    engine: { ...engine2025, environmentEvents: true },
    exec: {
      ...exec2025,
      failureFormat: "short",
      eventGrouping: "call",
      plainOutputForPatchers: true,
    },
    execJson: execJsonOf45,
    tools: { ...tools2025, planTool: "only if asked" },
    mcp: mcp2025,
    events: events2025,
    rpc: rpc2025,
    v2: v2Before,
  },
  "0.104": {
    name: "0.104",
    compatibleWith: "0.104.0",
    config: "2026-02",
    model: model2026,
    engine: engine2026,
    exec: exec2026,
    execJson: execJsonOf104,
    tools: tools2026,
    mcp: mcp2026,
    events: events2026,
    rpc: rpc2026,
    v2: v2Of104,
  },
  "0.166": {
    name: "0.166",
    compatibleWith: "0.166.0",
    config: "2026-11",
    model: {
      ...model2026,
      catalogue: "2026-11",
      sessionHeaders: "session-id",
      turnMetadata: "whole",
      sendsItemIds: true,
      summaryByFamily: true,
      instructionsIn: "conversation",
    },
    engine: {
      ...engine2026,
      callsStart: "at once",
      tokenCountEvents: "at the end",
      compactionEvent: "as an item",
      unknownModelWarning: "before it",
      opening: "skills first",
      skillsSection: "by themselves",
      recordsCalls: true,
      webSearchEvents: "all as known",
      patchPreviews: true,
      invalidImageNote: "image",
    },
    exec: {
      ...exec2026,
      commandKnowledge: "latest",
      beginsAtApproval: true,
      sessionPatches: "framed",
      threadVariables: ["CODEX_THREAD_ID", "CODEX_SESSION_ID"],
    },
    execJson: execJsonOf166,
    tools: {
      ...tools2026,
      planTool: "only if asked",
      enumsInSchemas: true,
      imageDetail: true,
      permissionsTool: true,
    },
    mcp: {
      ...mcp2026,
      toolNames: "namespace",
      contentAsParts: "always",
      includesWallTime: true,
      includesHints: true,
    },
    events: events2026,
    rpc: rpc2026,
    v2: v2Of166,
  },
  current: {
    name: "current",
    compatibleWith: "0.166.0",
    config: "current",
    model: {
      ...model2025,
      // A call behind the completion is not part of the response, so it never runs.
      completesAtStreamEnd: false,
      betaHeader: false,
      finalFailureCodes: true,
      retriesUnauthorized: false,
      statusTexts: "server",
      loginReplacesKey: false,
      catalogue: "2026-11",
      onRpc: { rateLimitFormat: "2026", clientIsOriginator: true },
    },
    engine: {
      ...engine2026,
      retryNotice: "with cause",
      retryWaitNotice: true,
      interruptedReview: "review_ended",
      idleInterruptEvent: true,
      policyTag: "both",
      repeatsTurnDiff: false,
      instructionsForm: "user_instructions",
      userMessageFields: "all",
      resolvesMentions: true,
      compactionEvent: "as a message",
      reviewForm: "by message",
      unknownModelWarning: "never",
      abortMarkers: false,
      forksRepeatOpening: false,
      rawReasoningEvents: false,
      labelsImages: false,
      contextOverflow: "summarize",
      retriesVerbatim: false,
      personalityInInstructions: false,
      recordsCalls: true,
      callsStart: "at once",
      tokenCountEvents: "once",
      opening: "policies in the environment",
      skillsSection: "if any",
      patchPreviews: true,
      invalidImageNote: "image",
    },
    exec: {
      ...exec2026,
      commandKnowledge: "strictest",
      threadVariables: ["CODEX_THREAD_ID", "CODEX_SESSION_ID"],
      requestsWritableRoot: true,
      patchRefusal: "error",
      reportsNewRules: false,
      plainOutputForPatchers: false,
      outputTruncation: "lines",
      eventGrouping: "run",
      patchEventGrouping: "run",
      detailedEvents: false,
      onRpc: { eventGrouping: "call", patchEventGrouping: "call", detailedEvents: true },
    },
    execJson: {
      ...execJsonOf166,
      hiddenItemTypes: new Set(),
      failureExitCode: "by cause",
      interruptEvents: true,
    },
    tools: {
      ...tools2025,
      planTool: "unless refused",
      userInputTool: "in every mode",
      webSearchTool: "unless refused",
      permissionsTool: true,
    },
    mcp: { ...mcp2026, includesHints: true, startupEventWithoutServers: false },
    events: {
      ...events2026,
      hidden: new Set(["step_complete"]),
      items: "plans",
      contentDeltas: true,
      placed: false,
      fileChange: "tagged",
      configuredFully: false,
      bookmarks: true,
      mcpResult: "plain",
    },
    rpc: {
      ...rpc2026,
      errorDetail: "reasoned",
      submissionIds: "counted",
      nullEffort: false,
      answersMalformed: true,
      v1RequiresInitialize: false,
    },
    v2: {
      ...v2Of166,
      newEfforts: "if experimental",
      idleInterrupt: "done",
      acceptsDuplicates: false,
      experimental: new Set(),
      remoteControlStatus: false,
      lacks: { ...v2Of166.lacks, InitializeResponse: [], Turn: [] },
    },
  },
};

/** An era as it is spoken over JSON-RPC, where some things are told otherwise than on the queues. */
export function rpcEra(era: Era): Era {
  const { model, exec } = era;
  return { ...era, model: { ...model, ...model.onRpc }, exec: { ...exec, ...exec.onRpc } };
}

/** The names of all eras, oldest first. */
export const eraNames = Object.keys(eras) as readonly EraName[];

/** Returns true if an era is `first` or a later one. */
export function isSince({ name }: Era, first: EraName): boolean {
  return eraNames.indexOf(name) >= eraNames.indexOf(first);
}

/** Returns the row of an era, or undefined if there is no such era. */
export function eraNamed(name: string): Era | undefined {
  return Object.hasOwn(eras, name) ? eras[name as EraName] : undefined;
}

/**
 * Returns the era that a caller names; throws a `CodexError` if there is no such era.
 *
 * The program passes an `Era` itself if it claims to be another version than the era's.
 */
export function eraOf(name: string | Era = "current"): Era {
  if (typeof name !== "string") return name;
  const era = eraNamed(name);
  if (era !== undefined) return era;
  const known = eraNames.map((one) => JSON.stringify(one)).join(", ");
  throw new CodexError(
    "invalid_request",
    `Expected \`era\` to be one of ${known} (got ${JSON.stringify(name)})`,
  );
}
