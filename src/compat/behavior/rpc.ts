/** Switches of JSON-RPC that v1, v2 and the MCP server share. */
export interface RpcBehavior {
  /** Spelling of the params of approval requests. */
  approvalParams: "camelCase" | "snake_case";
  /**
   * Text of an invalid-request error: two words, the reason of the parser, or that with the
   * position and a remedy.
   */
  errorDetail: "bare" | "parsed" | "reasoned";
  /**
   * v1 methods: as first published (submissions have numbers as ids, an unset effort is omitted), or
   * as in 2026 (UUIDs, `null`).
   */
  v1Form: "2025" | "2026";
  /** Answers input that is not a message with an error. */
  answersMalformed: boolean;
  /** The app-server rejects v1 methods before `initialize`. */
  v1RequiresInitialize: boolean;
  /** Tools of the MCP server also return the thread id, and accept it by that name. */
  mcpThreadIds: boolean;
}

/** Our newest form. */
export const currentRpc: RpcBehavior = {
  approvalParams: "camelCase",
  errorDetail: "reasoned",
  v1Form: "2025",
  answersMalformed: true,
  v1RequiresInitialize: false,
  mcpThreadIds: true,
};
