import type { McpTool } from "../protocol/types.js";
import type { McpToolParts } from "../tools/index.js";

/** What the engine asks of the MCP servers of a session. */
export interface McpAccess {
  /** Resolves when every server has started or failed; never rejects. */
  readonly started: Promise<unknown>;
  /** The tools by their qualified names; waits for servers that are still starting. */
  listTools(): Promise<Record<string, McpTool>>;
  /** What of them the model is offered; nothing without servers. */
  readonly tools: McpToolParts | undefined;
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

/** A session without MCP servers. */
export const noMcp: McpAccess = {
  started: Promise.resolve(),
  listTools: async () => ({}),
  tools: undefined,
  close: async () => {},
};
