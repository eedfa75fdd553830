export type { McpDialect } from "../protocol/era.js";

/** The ways in which tools of servers are named for the model. */
export type ToolNameForm = "server" | "mcp" | "namespace";
