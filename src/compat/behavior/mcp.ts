/** How tools of MCP servers are named and how the model is told of their answers. */
export interface McpBehavior {
  /** The command `mcp` without a verb is an MCP server. */
  bareCommandServes: boolean;
  /** `server__tool`, `mcp__server__tool`, or the tool inside a namespace of its server. */
  toolNames: "server" | "mcp" | "namespace";
  /** The model can ask for the resources of servers. */
  resourceTools: boolean;
  /** How long a call may take where the config does not say; `Infinity` for no limit. */
  usualCallLimitMs: number;
  /** The model is told why a call failed, not only that it did. */
  saysCauses: boolean;
  /** Content goes to the model as parts: never, when a picture is in it, or always. */
  contentAsParts: "never" | "with pictures" | "always";
  /** The fields of content are written in the order of the alphabet. */
  sortedContent: boolean;
  /** The model is told how long a call took. */
  saysWallTime: boolean;
  /** Clients are told what a tool says of itself. */
  saysHints: boolean;
  /** Each step of a server's start is told; else only that it failed, as an error. */
  tellsStartup: boolean;
  /** Of a start that failed it is told that it was the start; at the end of all, only why. */
  namesStart: boolean;
  /** That all servers have started is told where there are none, too. */
  tellsNoServers: boolean;
}

/** As in the versions of autumn 2025. */
export const mcp2025: McpBehavior = {
  bareCommandServes: true,
  toolNames: "server",
  resourceTools: false,
  usualCallLimitMs: Number.POSITIVE_INFINITY,
  saysCauses: false,
  contentAsParts: "never",
  sortedContent: true,
  saysWallTime: false,
  saysHints: false,
  tellsStartup: false,
  namesStart: false,
  tellsNoServers: false,
};

/** As in the versions of 2026. */
export const mcp2026: McpBehavior = {
  bareCommandServes: false,
  toolNames: "mcp",
  resourceTools: true,
  usualCallLimitMs: 60_000,
  saysCauses: true,
  contentAsParts: "with pictures",
  sortedContent: false,
  saysWallTime: false,
  saysHints: false,
  tellsStartup: true,
  namesStart: true,
  tellsNoServers: true,
};
