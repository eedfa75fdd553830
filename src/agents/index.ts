/** Helper agents: conversations of the model that other conversations start and direct. */
export {
  type Agent,
  type AgentMail,
  type AgentStatus,
  type AgentThread,
  isWorking,
  rootPath,
} from "./agent.js";
export type { AgentControl, SpawnRequest, WaitOutcome } from "./control.js";
export { toMessageItem } from "./message.js";
export { isAgentPath, toAgentPath } from "./names.js";
export { type AgentLimits, AgentTree, limitReached, type StartAgentThread } from "./tree.js";
