/** A command that the model runs. */
export interface CommandExecutionItem {
  id: string;
  type: "command_execution";
  command: string;
  /** What it wrote, to both outputs. */
  aggregated_output: string;
  /** Null while it runs. */
  exit_code: number | null;
  status: "in_progress" | "completed" | "failed" | "declined";
}

/** Files that the model changes. */
export interface FileChangeItem {
  id: string;
  type: "file_change";
  changes: { path: string; kind: "add" | "delete" | "update" }[];
  status: "in_progress" | "completed" | "failed";
}

/** A call of a tool of an MCP server. */
export interface McpToolCallItem {
  id: string;
  type: "mcp_tool_call";
  server: string;
  tool: string;
  arguments: unknown;
  result: { content: unknown[]; _meta?: unknown; structured_content: unknown } | null;
  error: { message: string } | null;
  status: "in_progress" | "completed" | "failed";
}

/** A call of a tool that the program brings along itself. */
export interface ToolCallItem {
  id: string;
  type: "tool_call";
  tool: string;
  arguments: unknown;
  /** What the tool answered, as text; null while it works. */
  output: string | null;
  status: "in_progress" | "completed" | "failed";
}

/** A search of the web. */
export interface WebSearchItem {
  id: string;
  type: "web_search";
  /** Empty until it is known. */
  query: string;
  action: WebSearchAction;
}

/** What is done on the web. */
export type WebSearchAction =
  | { type: "search"; query?: string; queries?: string[] }
  | { type: "open_page"; url?: string }
  | { type: "find_in_page"; url?: string; pattern?: string }
  | { type: "other" };

/** A message of the model: words, or JSON when a schema was asked for. */
export interface AgentMessageItem {
  id: string;
  type: "agent_message";
  text: string;
}

/** The summary of what the model thought. */
export interface ReasoningItem {
  id: string;
  type: "reasoning";
  text: string;
}

/** The plan of the turn. */
export interface TodoListItem {
  id: string;
  type: "todo_list";
  items: { text: string; completed: boolean }[];
}

/** Something that is not as it should be; the turn goes on. */
export interface ErrorItem {
  id: string;
  type: "error";
  message: string;
}

/** What a turn is made of, in the words of `exec --json` and the SDK. */
export type ThreadItem =
  | AgentMessageItem
  | ReasoningItem
  | CommandExecutionItem
  | FileChangeItem
  | McpToolCallItem
  | ToolCallItem
  | WebSearchItem
  | TodoListItem
  | ErrorItem;
