export { toEraEvent } from "./era-shape.js";
export type { ThreadEvent, Usage } from "./event.js";
export type {
  AgentMessageItem,
  CommandExecutionItem,
  ErrorItem,
  FileChangeItem,
  McpToolCallItem,
  ReasoningItem,
  ThreadItem,
  TodoListItem,
  ToolCallItem,
  WebSearchAction,
  WebSearchItem,
} from "./item.js";
export { type EventChoice, ThreadEventReader } from "./reader.js";
