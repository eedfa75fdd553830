import type { Config } from "../config/index.js";
import type { McpTool } from "../protocol/types.js";
import type { McpToolParts } from "../tools/index.js";

/** What the engine asks of the MCP servers of a session. */
export interface McpAccess {
  /** Resolves when every server has started or failed, as far as is known now; never rejects. */
  readonly started: Promise<unknown>;
  /** The tools by their qualified names; waits for servers that are still starting. */
  listTools(): Promise<Record<string, McpTool>>;
  /** What of them the model is offered; nothing without servers. */
  readonly tools: McpToolParts | undefined;
  /** Looks at what settings say of servers; what is returned goes on with these, at once. */
  prepare(config: Config): Promise<() => void>;
  /** Ends the servers that nobody else uses. */
  close(): Promise<void>;
}

/** What the user does about a question of a server; `content` is what was filled in. */
export interface ElicitationAnswer {
  action: "accept" | "decline" | "cancel";
  content?: Record<string, unknown>;
}

/** A question that a server has for the user. */
export interface Elicitation {
  server: string;
  id: string | number;
  message: string;
  requestedSchema: unknown;
}

/** Names a question among all that wait: servers number theirs each by itself. */
export function elicitationKey(server: string, id: string | number): string {
  return JSON.stringify([server, id]);
}
