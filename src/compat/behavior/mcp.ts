/** Switches of MCP servers: names of their tools, results for the model, start-up events. */
export interface McpBehavior {
  /** The command `mcp` without a subcommand is an MCP server. */
  bareCommandServes: boolean;
  /** `server__tool`, `mcp__server__tool`, or the tool inside a namespace of its server. */
  toolNames: "server" | "mcp" | "namespace";
  /** Offers the model tools for resources of servers. */
  resourceTools: boolean;
  /** Timeout of a call if the config has none; `Infinity` for no limit. */
  defaultCallTimeoutMs: number;
  /** Includes the cause of a failed call in the text for the model. */
  includesCause: boolean;
  /** When content is sent to the model as parts. */
  contentAsParts: "never" | "with pictures" | "always";
  /** Sorts the fields of content alphabetically. */
  sortedContent: boolean;
  /** Includes the duration of a call in the text for the model. */
  includesWallTime: boolean;
  /** Includes the hints of a tool (such as read-only) in events. */
  includesHints: boolean;
  /** Emits each state of the start of a server; otherwise only a failure, as an error. */
  startupEvents: boolean;
  /** Failures at start-up say so, except in the final event. */
  startupErrorPrefix: boolean;
  /** Emits the final start-up event even if no server is configured. */
  startupEventWithoutServers: boolean;
}

/** Our newest form. */
export const currentMcp: McpBehavior = {
  bareCommandServes: false,
  toolNames: "mcp",
  resourceTools: true,
  defaultCallTimeoutMs: 60_000,
  includesCause: true,
  contentAsParts: "with pictures",
  sortedContent: false,
  includesWallTime: false,
  includesHints: true,
  startupEvents: true,
  startupErrorPrefix: true,
  startupEventWithoutServers: false,
};
