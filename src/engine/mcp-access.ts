import type { McpTool } from "../protocol/types.js";

/** A session without MCP servers. */
export const noMcp: McpAccess = {
  listTools: async () => ({}),
  close: async () => {},
};

/** What the engine asks of the MCP servers of a session. */
export interface McpAccess {
  /** The tools by their qualified names; waits for servers that are still starting. */
  listTools(): Promise<Record<string, McpTool>>;
  /** Ends the servers that nobody else uses. */
  close(): Promise<void>;
}
