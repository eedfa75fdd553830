/** How JSON-RPC is spoken. */
export interface RpcBehavior {
  /** How the params of approval requests are spelled. */
  approvalParams: "camelCase" | "snake_case";
  /**
   * How a request that cannot be understood is refused: in two words, with the reason as a parser
   * says it, or with that and the place and what to do.
   */
  errorDetail: "bare" | "parsed" | "reasoned";
  /** How submissions of the older methods are named, and with them their events and turns. */
  submissionIds: "counted" | "uuid";
  /** A new conversation says that its model has no effort set. */
  nullEffort: boolean;
  /** What is no message at all is answered too. */
  answersMalformed: boolean;
  /** How a resumed conversation is announced beside the answer. */
  resumeNotice: "codex/event" | "sessionConfigured";
  /** Who listens to a conversation that is archived is told that it was shut down. */
  shutdownOnArchive: boolean;
  /** On the app-server the v1 methods, too, are refused before `initialize`. */
  v1RequiresInitialize: boolean;
  /** Tools of the MCP server also say the thread, and take it by that name. */
  mcpThreadIds: boolean;
}

/** As in the versions of autumn 2025. */
export const rpc2025: RpcBehavior = {
  approvalParams: "camelCase",
  errorDetail: "bare",
  submissionIds: "counted",
  nullEffort: false,
  answersMalformed: false,
  resumeNotice: "sessionConfigured",
  shutdownOnArchive: true,
  v1RequiresInitialize: true,
  mcpThreadIds: false,
};

/** As the JSON-RPC inside the MCP server of autumn 2025 was spoken. */
export const rpcOfMcp: RpcBehavior = {
  ...rpc2025,
  approvalParams: "snake_case",
  errorDetail: "reasoned",
  resumeNotice: "codex/event",
  shutdownOnArchive: false,
  v1RequiresInitialize: false,
};

/** As in the versions of 2026. */
export const rpc2026: RpcBehavior = {
  ...rpc2025,
  errorDetail: "parsed",
  submissionIds: "uuid",
  nullEffort: true,
  mcpThreadIds: true,
};
