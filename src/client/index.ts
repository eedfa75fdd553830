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
export type { OwnTool, OwnToolContext, OwnToolOutput, OwnToolPart } from "./own-tools.js";
export { type ConnectQueuesOptions, connectQueues, type QueueClient } from "./queues.js";
export type { RunDeltasResult, RunResult, RunStreamedResult, TurnOptions } from "./run-result.js";
export { runTurn, ThreadFeed, type TurnRequest } from "./run-turn.js";
export { Thread } from "./thread.js";
export {
  type AgentMessageItem,
  type CommandExecutionItem,
  type ErrorItem,
  type FileChangeItem,
  type ItemCompletedEvent,
  type ItemDeltaEvent,
  type ItemStartedEvent,
  type ItemUpdatedEvent,
  type McpToolCallItem,
  type ReasoningItem,
  type ThreadDelta,
  type ThreadError,
  type ThreadErrorEvent,
  type ThreadEvent,
  ThreadEventReader,
  type ThreadItem,
  type ThreadStartedEvent,
  type ThreadStreamEvent,
  type TodoListItem,
  type ToolCallItem,
  type TurnCompletedEvent,
  type TurnFailedEvent,
  type TurnStartedEvent,
  type Usage,
  type UsageUpdatedEvent,
  type WebSearchItem,
} from "./thread-events/index.js";
export type {
  ApprovalMode,
  ConfigObject,
  ConfigValue,
  Input,
  ModelReasoningEffort,
  SandboxMode,
  ThreadOptions,
  UserInput,
  WebSearchMode,
} from "./thread-options.js";
export type {
  ForkOptions,
  ListThreadsOptions,
  ListTurnsOptions,
  RequestOptions,
  RewindOptions,
  RewindResult,
  SetGoalOptions,
  ThreadGoal,
  ThreadsList,
  TurnsList,
} from "./thread-requests.js";
