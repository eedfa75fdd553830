/** How tools of MCP servers are named and how the model is told of their answers. */
export interface McpBehavior {
  /** The command `mcp` without a verb is an MCP server. */
  bareCommandServes: boolean;
  /** `server__tool`, `mcp__server__tool`, or the tool inside a namespace of its server. */
  toolNames: "server" | "mcp" | "namespace";
  /** The model can ask for the resources of servers. */
  resourceTools: boolean;
  /** How long a call may take where the config does not say; `Infinity` for no limit. */
  defaultCallTimeoutMs: number;
  /** The model is told why a call failed, not only that it did. */
  includesCause: boolean;
  /** Content goes to the model as parts: never, when a picture is in it, or always. */
  contentAsParts: "never" | "with pictures" | "always";
  /** The fields of content are written in the order of the alphabet. */
  sortedContent: boolean;
  /** The model is told how long a call took. */
  includesWallTime: boolean;
  /** Clients are told what a tool says of itself. */
  includesHints: boolean;
  /** Each step of a server's start is told; else only that it failed, as an error. */
  startupEvents: boolean;
  /** Of a start that failed it is told that it was the start; at the end of all, only why. */
  startupErrorPrefix: boolean;
  /** That all servers have started is told where there are none, too. */
  startupEventWithoutServers: boolean;
}

/** As in the versions of autumn 2025. */
export const mcp2025: McpBehavior = {
  bareCommandServes: true,
  toolNames: "server",
  resourceTools: false,
  defaultCallTimeoutMs: Number.POSITIVE_INFINITY,
  includesCause: false,
  contentAsParts: "never",
  sortedContent: true,
  includesWallTime: false,
  includesHints: false,
  startupEvents: false,
  startupErrorPrefix: false,
  startupEventWithoutServers: false,
};

/** As in the versions of 2026. */
export const mcp2026: McpBehavior = {
  bareCommandServes: false,
  toolNames: "mcp",
  resourceTools: true,
  defaultCallTimeoutMs: 60_000,
  includesCause: true,
  contentAsParts: "with pictures",
  sortedContent: false,
  includesWallTime: false,
  includesHints: false,
  startupEvents: true,
  startupErrorPrefix: true,
  startupEventWithoutServers: true,
};
