import type {
  RateLimitSnapshot,
  ReasoningEffort,
  ReasoningSummary,
  ResponseItem,
  TokenUsage,
  ToolSpec,
  Verbosity,
} from "../protocol/types.js";

export type { ModelProvider } from "../protocol/model-provider.js";

/** Everything one request asks the model; the client adds only what the provider needs. */
export interface Prompt {
  model: string;
  /** Absent where they stand in the input. */
  instructions?: string;
  input: readonly ResponseItem[];
  tools: readonly ToolSpec[];
  parallelToolCalls: boolean;
  /** Absent when the model does not reason. */
  reasoning?: { effort?: ReasoningEffort; summary: ReasoningSummary };
  verbosity?: Verbosity;
  outputSchema?: unknown;
  /** Set where the provider stores responses; `input` then holds only what is new. */
  previousResponseId?: string;
  /** Stays the same for the life of a conversation. */
  conversationId: string;
  /** Said with this request alone, such as the metadata of its turn. */
  headers?: Readonly<Record<string, string>>;
  /** The same once more in the body, for servers that look there. */
  metadata?: Readonly<Record<string, string>>;
}

/** A piece of a response, in the order the model sends it. */
export type StreamItem =
  | { type: "retrying"; failure: ModelFailure; delayMs: number }
  | {
      type: "accepted";
      rateLimits: RateLimitSnapshot | undefined;
      /** A routing token that the other requests of the same turn send back as a header. */
      turnState: string | undefined;
    }
  | { type: "created"; responseId: string | undefined }
  | { type: "item_added"; item: ResponseItem }
  | { type: "text_delta"; delta: string; itemId: string | undefined }
  | { type: "reasoning_part"; itemId: string | undefined; index: number }
  | { type: "reasoning_delta"; delta: string; itemId: string | undefined; index: number }
  | { type: "raw_reasoning_delta"; delta: string; itemId: string | undefined; index: number }
  /** A piece of the plain text that a tool is called with. */
  | { type: "input_delta"; delta: string; itemId: string | undefined }
  | { type: "item_done"; item: ResponseItem }
  | { type: "completed"; responseId: string | undefined; usage: TokenUsage | undefined }
  | { type: "failed"; failure: ModelFailure };

/** Why a response did not complete. */
export interface ModelFailure {
  /** For the user, in the words other programs match on. */
  message: string;
  /** What a program may branch on. */
  kind:
    | "stream_closed"
    | "idle_timeout"
    | "response_failed"
    | "context_length_exceeded"
    | "quota"
    | "usage_limit"
    | "usage_not_included"
    | "overloaded"
    | "cyber_policy"
    | "misalignment_policy"
    | "invalid_prompt"
    | "http_status"
    | "retry_limit"
    | "connection"
    | "auth";
  /** False: asking again cannot help, the turn ends. */
  retryable: boolean;
  /** How long the model asked to wait before the next try. */
  retryAfterMs?: number;
  status?: number;
  /** The limits as the refusal told them. */
  rateLimits?: RateLimitSnapshot;
}

/** The login behind a request, where the provider's own key is not set. */
export interface ModelAuth {
  kind: "api_key" | "chatgpt";
  token: string;
  accountId?: string;
  planType?: string;
}

/** Where the client gets the login from, anew for every request. */
export interface ModelAuthSource {
  current(): Promise<ModelAuth | undefined>;
  /** After the model refused the token: true when there is a newer one now. */
  refresh(): Promise<boolean>;
}

/**
 * Asks a model.
 *
 * `stream` yields batches, one for each piece that came from the network, so that a delta costs no
 * promise of its own. Whatever goes wrong arrives as a last `failed` item; it throws only when
 * `signal` aborts, and then the request is stopped at once. Retries that the user is not told of
 * (the `request_max_retries` budget) happen inside; a `retrying` item says so to whoever cares.
 */
export interface ModelClient {
  stream(prompt: Prompt, signal: AbortSignal): AsyncGenerator<readonly StreamItem[]>;
  /** Closes kept connections. */
  close(): void;
}
