/** How the model is asked and how its failures are read. */
export interface ModelBehavior {
  /** Sends `OpenAI-Beta: responses=experimental`. */
  betaHeader: boolean;
  /** Sends `conversation_id` beside `session_id`. */
  conversationIdHeader: boolean;
  /** Under which names a request says its conversation: `session_id`, or also its thread. */
  sessionHeaders: "session_id" | "session-id";
  /** What a request says of its turn: nothing, a few words, or all, in the body too. */
  turnMetadata: "none" | "short" | "whole";
  /** A program that drives us stands in our place as the origin of requests. */
  clientIsOriginator: boolean;
  /** Items go back to the model under the ids they have, and with all the fields they came with. */
  sendsItemIds: boolean;
  /** How much a model tells of its reasoning is its family's choice when the user has none. */
  summaryByFamily: boolean;
  /** Where the instructions stand: in a field of their own, or in front of the conversation. */
  instructionsIn: "field" | "conversation";
  /** Some codes of `response.failed` end the turn at once instead of being retried. */
  finalFailureCodes: boolean;
  /** Waits as long as the `Retry-After` header of an HTTP error says. */
  retryAfterHeader: boolean;
  /** Which wording failures have: that of 2025-09 or that of 2026-02. */
  failureTexts: "2025" | "2026";
  /** A refused request is reported as Codex words it, or in the server's sentence with status and URL. */
  statusTexts: "codex" | "server";
  /** A 401 counts as a passing trouble that the request budget covers. */
  retriesUnauthorized: boolean;
  /** How the headers about limits are told: with seconds to wait, or with the time of the reset. */
  rateLimitFormat: "2025" | "2026";
  /** What differs over JSON-RPC: newer shapes of limits, and clients that stand in our place. */
  onRpc?: Partial<Pick<ModelBehavior, "rateLimitFormat" | "clientIsOriginator">>;
  /** A response counts as complete only when its stream has ended. */
  completesAtStreamEnd: boolean;
  /** A login is sent to a provider whose `env_key` is not set. */
  loginReplacesKey: boolean;
  /** Which models are known, and what is assumed of the others. */
  catalogue: "2025-09" | "2025-10" | "2026-02" | "2026-11";
}

/** As in the versions of autumn 2025. */
export const model2025: ModelBehavior = {
  betaHeader: true,
  conversationIdHeader: true,
  sessionHeaders: "session_id",
  turnMetadata: "none",
  clientIsOriginator: false,
  sendsItemIds: false,
  summaryByFamily: false,
  instructionsIn: "field",
  finalFailureCodes: false,
  retryAfterHeader: true,
  failureTexts: "2025",
  statusTexts: "codex",
  retriesUnauthorized: true,
  rateLimitFormat: "2025",
  completesAtStreamEnd: true,
  loginReplacesKey: true,
  catalogue: "2025-09",
};

/** As in the versions of 2026. */
export const model2026: ModelBehavior = {
  betaHeader: false,
  conversationIdHeader: false,
  sessionHeaders: "session_id",
  turnMetadata: "short",
  clientIsOriginator: true,
  sendsItemIds: false,
  summaryByFamily: false,
  instructionsIn: "field",
  finalFailureCodes: true,
  retryAfterHeader: false,
  failureTexts: "2026",
  statusTexts: "codex",
  retriesUnauthorized: false,
  rateLimitFormat: "2026",
  completesAtStreamEnd: false,
  loginReplacesKey: false,
  catalogue: "2026-02",
};
