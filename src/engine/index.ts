export type { ModelPreset } from "../model/index.js";
export { runCodex } from "./codex.js";
export type { EngineParts } from "./configure-session.js";
export type { McpDesk, McpServerReport } from "./local/mcp-desk.js";
export type { ClientName, HostProgram } from "./local/model.js";
export type { OneOffCommand, OneOffResult } from "./local/one-off.js";
export { createLocalParts, type LocalOptions, type LocalParts } from "./local/parts.js";
export type { OpenLog, SessionLog } from "./log.js";
export { createQueues, type InProcessQueues, type QueuePair } from "./queues.js";
