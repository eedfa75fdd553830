/** How tools of MCP servers are named and how the model is told of their answers; a row of the eras. */
export interface McpDialect {
  /** `server__tool`, `mcp__server__tool`, or the tool inside a namespace of its server. */
  toolNames: ToolNameForm;
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
}

/** The ways in which tools of servers are named for the model. */
export type ToolNameForm = "server" | "mcp" | "namespace";
