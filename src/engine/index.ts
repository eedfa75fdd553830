export type { AuthSource, GivenTokens, RequestAuth } from "../auth/index.js";
export type { Era, EraName } from "../compat/index.js";
export type { Config, Environment, Override, ReadLayers } from "../config/index.js";
export type { LiveCommand } from "../exec/index.js";
export type { Queue } from "../lib/async.js";
export type { Clock } from "../lib/clock.js";
export type {
  Cassette,
  CassetteHost,
  ModelClient,
  ModelFailure,
  ModelPreset,
  ModelProvider,
  Prompt,
  StreamItem,
} from "../model/index.js";
export type { SkillCatalogue } from "../project/index.js";
export type { ReplayedConversation } from "../rollout/index.js";
export type { Sandbox } from "../sandbox/index.js";
export type { ToolBox, UserShell } from "../tools/index.js";
export { createQueues, type InProcessQueues, runCodex } from "./codex.js";
export type { LocalHookOptions } from "./local/hooks.js";
export type { LocalOptions, LocalTelemetry, Machine } from "./local/machine.js";
export type { ClientName, HostProgram } from "./local/model.js";
export { createLocalParts, type LocalParts } from "./local/parts.js";
export type { Elicitation, ElicitationAnswer, McpAccess, McpClient } from "./mcp-access.js";
export type {
  AgentContext,
  EngineParts,
  QueuePair,
  SessionServices,
  SettingsFollower,
  WrapQueues,
} from "./parts.js";
export type { LogOptions, OpenLog, ResumeLog, SessionLog } from "./session-log.js";
export { unknownModelWarning } from "./turn-context.js";
