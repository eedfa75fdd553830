export type { McpBehavior } from "../compat/index.js";

/** The ways in which tools of servers are named for the model. */
export type ToolNameForm = "server" | "mcp" | "namespace";
