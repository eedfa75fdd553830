import type { Config } from "../config/index.js";
import type { CallToolResult, EventMsg, McpInvocation, McpTool } from "../protocol/types.js";
import type { McpToolParts } from "../tools/index.js";

/** Access of the engine to the MCP servers of a session. */
export interface McpAccess {
  /** Resolves when every configured server has started or failed; never rejects. */
  readonly started: Promise<unknown>;
  /** Lists the tools by their qualified names, after the servers have started. */
  listTools(): Promise<Record<string, McpTool>>;
  /** Calls a tool by the names of its server; rejects if there is no such server. */
  callTool(invocation: McpInvocation, signal: AbortSignal): Promise<CallToolResult | string>;
  /** Tools to offer to the model; `undefined` without servers. */
  readonly tools: McpToolParts | undefined;
  /** Checks the servers in the settings; the returned function switches to them at once. */
  prepare(config: Config): Promise<() => void>;
  /** Stops the servers that no other session uses. */
  close(): Promise<void>;
}

/** Access of MCP servers to the client of a session. */
export interface McpClient {
  /** Emits an event of the session. */
  emit(msg: EventMsg): void;
  /** Asks the user a question of an MCP server. */
  answer(question: Elicitation, signal: AbortSignal): Promise<ElicitationAnswer>;
}

/** The user's answer to a question of an MCP server; `content` has the form fields. */
export interface ElicitationAnswer {
  /** The decision of the user. */
  action: "accept" | "decline" | "cancel";
  /** The answer, if the user accepted; it matches the schema of the request. */
  content?: Record<string, unknown>;
}

/** A question of an MCP server to the user. */
export interface Elicitation {
  /** The name of the MCP server that asks. */
  server: string;
  /** The id of the request, unique for its server. */
  id: string | number;
  /** The question, for a person. */
  message: string;
  /** JSON Schema of the answer. */
  requestedSchema: unknown;
}

/** Key of a pending question: ids are unique per server only. */
export function elicitationKey(server: string, id: string | number): string {
  return JSON.stringify([server, id]);
}
