export { RpcError, rpcCodes } from "../jsonrpc/index.js";
export type { AppServerClient } from "./app-server-client.js";
export type { ApprovalDecision, ApprovalPlace, ApprovalRequest, Approver } from "./approvals.js";
export { CodexClient, type ConnectServer } from "./codex.js";
export { type ConnectAppServerOptions, connectAppServer } from "./connect.js";
export type {
  ClientMethod,
  EventNotification,
  ParamsOf,
  ResultOf,
  ServerMethod,
  ServerNotification,
  ServerQuestion,
  ServerRequestHandler,
  ServerRequestHandlers,
} from "./messages.js";
export type { OwnTool, OwnToolContext, OwnToolOutput } from "./own-tools.js";
export { type ConnectQueuesOptions, connectQueues, type QueueClient } from "./queues.js";
export type { RunResult, RunStreamedResult, TurnOptions } from "./run-result.js";
export { runTurn, ThreadFeed, type TurnRequest } from "./run-turn.js";
export { Thread } from "./thread.js";
export {
  type AgentMessageItem,
  type CommandExecutionItem,
  type ErrorItem,
  type FileChangeItem,
  type McpToolCallItem,
  type ReasoningItem,
  type ThreadEvent,
  ThreadEventReader,
  type ThreadItem,
  type TodoListItem,
  type ToolCallItem,
  type Usage,
  type WebSearchItem,
} from "./thread-events/index.js";
export type {
  ConfigObject,
  ConfigValue,
  Input,
  ThreadOptions,
  UserInput,
} from "./thread-options.js";
