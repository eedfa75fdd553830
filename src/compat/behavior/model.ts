/** Switches of requests to the model and of reading its failures. */
export interface ModelBehavior {
  /** Sends `OpenAI-Beta: responses=experimental`; a response is complete only when its stream ends. */
  betaApi: boolean;
  /**
   * Form of a request. 2025 has the headers `session_id` and `conversation_id`; 2026-02 the first and
   * short metadata of the turn; 2026-11 `session-id`, the thread and complete metadata, items with
   * their ids, the instructions in the conversation, and summaries by the model family.
   */
  requestForm: "2025" | "2026-02" | "2026-11";
  /**
   * Failures: 2025 retries a 401 and every code of `response.failed`; 2026 ends the turn at some codes
   * and ignores `Retry-After`; `server` ends it at those codes too, honors the header, and quotes the
   * server.
   */
  failures: "2025" | "2026" | "server";
  /**
   * Failures in a stream: 2026-02 retries an incomplete response and ends the turn at `slow_down`;
   * 2026-11 does the opposite.
   */
  streamFailures: "2026-02" | "2026-11";
  /** Format of rate limits: seconds until the reset, or the time of the reset. */
  rateLimitFormat: "2025" | "2026";
  /** Sends the sign-in to a provider whose `env_key` is not set. */
  loginReplacesKey: boolean;
  /** Known models, and the assumptions about unknown ones. */
  catalogue: "2025-09" | "2025-10" | "2026-02" | "2026-11";
  /** Overrides over JSON-RPC, which has the newer format of limits. */
  onRpc?: Pick<ModelBehavior, "rateLimitFormat"> | undefined;
}

/** Our newest form. */
export const currentModel: ModelBehavior = {
  betaApi: false,
  requestForm: "2025",
  failures: "server",
  streamFailures: "2026-11",
  rateLimitFormat: "2025",
  loginReplacesKey: false,
  catalogue: "2026-11",
  onRpc: { rateLimitFormat: "2026" },
};
