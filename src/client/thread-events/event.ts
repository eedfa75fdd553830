/** The tokens that a thread has used by the end of a turn. */
export interface Usage {
  /** Tokens sent to the model, cached ones included. */
  input_tokens: number;
  /** Tokens of the input that the model's server had cached. */
  cached_input_tokens: number;
  /** Tokens of the input that it wrote to its cache. */
  cache_write_input_tokens: number;
  /** Tokens that the model wrote, reasoning included. */
  output_tokens: number;
  /** Tokens of the output that were reasoning. */
  reasoning_output_tokens: number;
}

/** Event of a thread, in the format of `exec --json` and the SDK. */
export type ThreadEvent =
  | { type: "thread.started"; thread_id: string }
  | { type: "turn.started" }
  | { type: "turn.completed"; usage: Usage }
  | { type: "turn.failed"; error: { message: string } }
  | { type: "item.started" | "item.updated" | "item.completed"; item: ThreadItem }
  | { type: "error"; message: string };

/** A command that the model runs. */
export interface CommandExecutionItem {
  /** The id of the item within the thread. */
  id: string;
  /** The kind of item. */
  type: "command_execution";
  /** The command line. */
  command: string;
  /** Its output so far: standard output and standard error together. */
  aggregated_output: string;
  /** Its exit code; null while it runs. */
  exit_code: number | null;
  /** The state of the command; `declined` if it was not approved. */
  status: "in_progress" | "completed" | "failed" | "declined";
}

/** Files that the model changes. */
export interface FileChangeItem {
  /** The id of the item within the thread. */
  id: string;
  /** The kind of item. */
  type: "file_change";
  /** The files, and what happens to each. */
  changes: { path: string; kind: "add" | "delete" | "update" }[];
  /** The state of the change. */
  status: "in_progress" | "completed" | "failed";
}

/** A call of a tool of an MCP server. */
export interface McpToolCallItem {
  /** The id of the item within the thread. */
  id: string;
  /** The kind of item. */
  type: "mcp_tool_call";
  /** The name of the server in the settings. */
  server: string;
  /** The name of the tool on that server. */
  tool: string;
  /** The arguments as JSON. */
  arguments: unknown;
  /** The result of the tool; null while it runs and if there is none. */
  result: { content: unknown[]; _meta?: unknown; structured_content: unknown } | null;
  /** The reason why there is no result. */
  error: { message: string } | null;
  /** The state of the call. */
  status: "in_progress" | "completed" | "failed";
}

/** A call of a tool of the program itself (`tools` of the options). */
export interface ToolCallItem {
  /** The id of the item within the thread. */
  id: string;
  /** The kind of item. */
  type: "tool_call";
  /** The name of the tool. */
  tool: string;
  /** The arguments as JSON. */
  arguments: unknown;
  /** The answer of the tool as text; null while it runs. */
  output: string | null;
  /** The state of the call. */
  status: "in_progress" | "completed" | "failed";
}

/** A search of the web. */
export interface WebSearchItem {
  /** The id of the item within the thread. */
  id: string;
  /** The kind of item. */
  type: "web_search";
  /** The words that were searched for; empty until they are known. */
  query: string;
  /** The details of the search. */
  action: WebSearchAction;
}

/** An action of a web search: a search, a page that was opened, or a search within a page. */
export type WebSearchAction =
  | { type: "search"; query?: string; queries?: string[] }
  | { type: "open_page"; url?: string }
  | { type: "find_in_page"; url?: string; pattern?: string }
  | { type: "other" };

/** A message of the model: text, or JSON if the turn has an `outputSchema`. */
export interface AgentMessageItem {
  /** The id of the item within the thread. */
  id: string;
  /** The kind of item. */
  type: "agent_message";
  /** The whole message. */
  text: string;
}

/** A summary of the model's reasoning. */
export interface ReasoningItem {
  /** The id of the item within the thread. */
  id: string;
  /** The kind of item. */
  type: "reasoning";
  /** The summary. */
  text: string;
}

/** The plan of the turn. */
export interface TodoListItem {
  /** The id of the item within the thread. */
  id: string;
  /** The kind of item. */
  type: "todo_list";
  /** The steps in their order. */
  items: { text: string; completed: boolean }[];
}

/** A problem that does not end the turn, such as a warning about the settings. */
export interface ErrorItem {
  /** The id of the item within the thread. */
  id: string;
  /** The kind of item. */
  type: "error";
  /** The problem, for a person. */
  message: string;
}

/** A part of a turn, in the format of `exec --json` and the SDK. */
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
