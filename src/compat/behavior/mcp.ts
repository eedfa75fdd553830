/** Switches of MCP servers: names of their tools, results for the model, start-up events. */
export interface McpBehavior {
  /** `server__tool`, `mcp__server__tool`, or the tool inside a namespace of its server. */
  toolNames: "server" | "mcp" | "namespace";
  /**
   * Result of a call for the model: its content as text with sorted fields, as parts if it has
   * pictures, or always as parts after the duration of the call.
   */
  resultForm: "sorted text" | "parts if pictures" | "timed parts";
  /** Emits the final start-up event even if no server is configured. */
  startupEventWithoutServers: boolean;
}

/** Our newest form. */
export const currentMcp: McpBehavior = {
  toolNames: "mcp",
  resultForm: "parts if pictures",
  startupEventWithoutServers: false,
};
