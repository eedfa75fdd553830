/** A question that a server has for the user. */
export interface McpElicitation {
  /** The server, as the config names it. */
  server: string;
  /** The number or name that the server gave its request. */
  id: string | number;
  message: string;
  /** The JSON Schema of what is to be filled in. */
  requestedSchema: unknown;
}

/** What the user does about it; `content` is what was filled in. */
export interface McpElicitationAnswer {
  action: "accept" | "decline" | "cancel";
  content?: Record<string, unknown>;
}

/** Puts the question to the user; the signal says that the server no longer wants to know. */
export type AnswerElicitation = (
  elicitation: McpElicitation,
  signal: AbortSignal,
) => Promise<McpElicitationAnswer>;
