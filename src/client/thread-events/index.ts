export type {
  AgentMessageItem,
  CommandExecutionItem,
  ErrorItem,
  FileChangeItem,
  McpToolCallItem,
  ReasoningItem,
  ThreadEvent,
  ThreadItem,
  TodoListItem,
  ToolCallItem,
  Usage,
  WebSearchAction,
  WebSearchItem,
} from "./event.generated.js";
export { type EventChoice, ThreadEventReader } from "./reader.js";
