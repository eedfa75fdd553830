/** Switches of JSON-RPC that v1, v2 and the MCP server share. */
export interface RpcBehavior {
  /** Spelling of the params of approval requests. */
  approvalParams: "camelCase" | "snake_case";
  /**
   * Text of an invalid-request error: two words, the reason of the parser, or that with the
   * position and a remedy.
   */
  errorDetail: "bare" | "parsed" | "reasoned";
  /** Ids of submissions of v1 methods, and so of their events and turns. */
  submissionIds: "counted" | "uuid";
  /** `newConversation` returns `reasoningEffort: null` if none is set. */
  nullEffort: boolean;
  /** Answers input that is not a message with an error. */
  answersMalformed: boolean;
  /** Notification sent beside the response to `resumeConversation`. */
  resumeNotice: "codex/event" | "sessionConfigured";
  /** Listeners of a conversation receive `shutdown_complete` when it is archived. */
  shutdownOnArchive: boolean;
  /** The app-server rejects v1 methods before `initialize`. */
  v1RequiresInitialize: boolean;
  /** Tools of the MCP server also return the thread id, and accept it by that name. */
  mcpThreadIds: boolean;
}

/** Our newest form. */
export const currentRpc: RpcBehavior = {
  approvalParams: "camelCase",
  errorDetail: "reasoned",
  submissionIds: "counted",
  nullEffort: false,
  answersMalformed: true,
  resumeNotice: "sessionConfigured",
  shutdownOnArchive: true,
  v1RequiresInitialize: false,
  mcpThreadIds: true,
};
