/** What `exec --json` writes, and how `exec` ends. */
export interface ExecJsonBehavior {
  /** How the first line names what begins. */
  opening: "thread.started" | "session.created";
  /** Turns are told of: their beginning, their end with the usage, and their failure. */
  turnEvents: boolean;
  /** The field that says what an item is. */
  itemTag: "type" | "item_type";
  /** What a message of the model is called. */
  messageType: "agent_message" | "assistant_message";
  /** Items that were not told of. */
  hiddenItemTypes: ReadonlySet<string>;
  /** Items that were told only when they were complete. */
  completedOnly: ReadonlySet<string>;
  /** A summary of reasoning is one item, or one for each of its parts. */
  reasoning: "whole" | "by part";
  /** Searches of the web are told under the model's own name for them. */
  modelSearchIds: boolean;
  /** Where warnings and the beginning of a turn are read: in v2, or in the events of the queues. */
  turnStartSource: "v2" | "queues";
  /** A command without an exit code says `null`; else it says nothing. */
  nullExitCode: boolean;
  /** Fields there were not, by the type of the item, and of the usage. */
  lacks: Readonly<Record<string, readonly string[]>>;
  /** A turn that is interrupted fails, and the items that were running end with it. */
  interruptEvents: boolean;
  /** How `exec` is called towards the model's server. */
  originator: string;
  /** And whether it is named there once more, as a client of a server. */
  reportsClient: boolean;
  /** The exit code of a turn that failed: by its cause, one for all, or none. */
  failureExitCode: "by cause" | "one" | "none";
}

/** As in 0.42. */
export const execJsonOf42: ExecJsonBehavior = {
  opening: "session.created",
  turnEvents: false,
  itemTag: "item_type",
  messageType: "assistant_message",
  hiddenItemTypes: new Set(["error", "mcp_tool_call", "tool_call", "web_search"]),
  completedOnly: new Set(["file_change"]),
  reasoning: "by part",
  modelSearchIds: false,
  turnStartSource: "queues",
  nullExitCode: false,
  lacks: {},
  interruptEvents: false,
  originator: "codex_cli_rs",
  reportsClient: false,
  failureExitCode: "none",
};

/** As in 0.45. */
export const execJsonOf45: ExecJsonBehavior = {
  ...execJsonOf42,
  opening: "thread.started",
  turnEvents: true,
  itemTag: "type",
  messageType: "agent_message",
  hiddenItemTypes: new Set(["error", "tool_call"]),
  completedOnly: new Set(["file_change", "web_search"]),
  lacks: {
    usage: ["cache_write_input_tokens", "reasoning_output_tokens"],
    mcp_tool_call: ["arguments", "result", "error"],
    web_search: ["action"],
  },
  originator: "codex_exec",
  failureExitCode: "one",
};

/** As in 0.104. */
export const execJsonOf104: ExecJsonBehavior = {
  ...execJsonOf45,
  hiddenItemTypes: new Set(["tool_call"]),
  completedOnly: new Set(["file_change"]),
  modelSearchIds: true,
  nullExitCode: true,
  lacks: { usage: ["cache_write_input_tokens", "reasoning_output_tokens"] },
};

/** As in 0.166. */
export const execJsonOf166: ExecJsonBehavior = {
  ...execJsonOf104,
  completedOnly: new Set(),
  reasoning: "whole",
  turnStartSource: "v2",
  lacks: {},
  reportsClient: true,
};
