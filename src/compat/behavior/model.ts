/** Switches of requests to the model and of reading its failures. */
export interface ModelBehavior {
  /** Sends `OpenAI-Beta: responses=experimental`. */
  betaHeader: boolean;
  /** Sends `conversation_id` beside `session_id`. */
  conversationIdHeader: boolean;
  /** Headers that identify the conversation: `session_id`, or `session-id` and the thread. */
  sessionHeaders: "session_id" | "session-id";
  /** Metadata of the turn in a request: none, short, or complete and in the body too. */
  turnMetadata: "none" | "short" | "whole";
  /** The program that drives us is reported as the originator of requests. */
  clientIsOriginator: boolean;
  /** Sends items back to the model with their ids and all fields they came with. */
  sendsItemIds: boolean;
  /** The model family sets the default verbosity of reasoning summaries. */
  summaryByFamily: boolean;
  /** Instructions are sent in the `instructions` field, or at the start of the conversation. */
  instructionsIn: "field" | "conversation";
  /** Some codes of `response.failed` end the turn instead of being retried. */
  finalFailureCodes: boolean;
  /** Honors the `Retry-After` header of an HTTP error. */
  retryAfterHeader: boolean;
  /** Wording of failures: that of 2025-09 or that of 2026-02. */
  failureTexts: "2025" | "2026";
  /** Text for a refused request: the wording of Codex, or the sentence of the server with status and URL. */
  statusTexts: "codex" | "server";
  /** Retries a 401 within the request budget. */
  retriesUnauthorized: boolean;
  /** Format of rate limits: seconds until the reset, or the time of the reset. */
  rateLimitFormat: "2025" | "2026";
  /** A response is complete only when its stream has ended. */
  completesAtStreamEnd: boolean;
  /** Sends the sign-in to a provider whose `env_key` is not set. */
  loginReplacesKey: boolean;
  /** Known models, and the assumptions about unknown ones. */
  catalogue: "2025-09" | "2025-10" | "2026-02" | "2026-11";
  /** Overrides over JSON-RPC: newer shapes of limits, and clients as originators. */
  onRpc?: Partial<Pick<ModelBehavior, "rateLimitFormat" | "clientIsOriginator">> | undefined;
}

/** Our newest form. */
export const currentModel: ModelBehavior = {
  betaHeader: false,
  conversationIdHeader: true,
  sessionHeaders: "session_id",
  turnMetadata: "none",
  clientIsOriginator: false,
  sendsItemIds: false,
  summaryByFamily: false,
  instructionsIn: "field",
  finalFailureCodes: true,
  retryAfterHeader: true,
  failureTexts: "2025",
  statusTexts: "server",
  retriesUnauthorized: false,
  rateLimitFormat: "2025",
  completesAtStreamEnd: false,
  loginReplacesKey: false,
  catalogue: "2026-11",
  onRpc: { rateLimitFormat: "2026", clientIsOriginator: true },
};
