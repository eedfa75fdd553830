export { runCodex } from "./codex.js";
export type { EngineParts } from "./configure-session.js";
export type { OpenLog, SessionLog } from "./log.js";
export { createQueues, type InProcessQueues, type QueuePair } from "./queues.js";
