import type {
  RateLimitSnapshot,
  ReasoningEffort,
  ReasoningSummary,
  ResponseItem,
  TokenUsage,
  ToolSpec,
  Verbosity,
} from "../protocol/types.js";

export type { ModelProvider } from "../protocol/config-types.js";

/** Content of one request; the client adds only provider-specific parts. */
export interface Prompt {
  /** The name of the model. */
  model: string;
  /** Absent if they are part of the input. */
  instructions?: string;
  /** The conversation. */
  input: readonly ResponseItem[];
  /** The tools that the model may call. */
  tools: readonly ToolSpec[];
  /** Sends the tools as the first item of the input. */
  toolsInInput?: boolean;
  /** True if the model may call several tools at once. */
  parallelToolCalls: boolean;
  /** Absent if the model does not reason. */
  reasoning?: { effort?: ReasoningEffort; summary: ReasoningSummary };
  /** How long answers should be. */
  verbosity?: Verbosity;
  /** JSON Schema that the answer must match. */
  outputSchema?: unknown;
  /** Set if the provider stores responses; `input` then contains only new items. */
  previousResponseId?: string;
  /** Constant for the lifetime of a conversation. */
  conversationId: string;
  /** Id of the thread, if it is one of a helper agent; default: `conversationId`. */
  threadId?: string;
  /** Headers of this request, such as the metadata of its turn. */
  headers?: Readonly<Record<string, string>>;
  /** The same metadata in the body, for servers that read it there. */
  metadata?: Readonly<Record<string, string>>;
}

/** A piece of a response, in the order the model sends it. */
export type StreamItem =
  | { type: "retrying"; failure: ModelFailure; delayMs: number }
  | {
      type: "accepted";
      rateLimits: RateLimitSnapshot | undefined;
      /** Routing token that later requests of the same turn send back as a header. */
      turnState: string | undefined;
    }
  | { type: "created"; responseId: string | undefined }
  | { type: "item_added"; item: ResponseItem }
  | { type: "text_delta"; delta: string; itemId: string | undefined }
  | { type: "reasoning_part"; itemId: string | undefined; index: number }
  | { type: "reasoning_delta"; delta: string; itemId: string | undefined; index: number }
  | { type: "raw_reasoning_delta"; delta: string; itemId: string | undefined; index: number }
  /** A piece of the plain text input of a tool call. */
  | { type: "input_delta"; delta: string; itemId: string | undefined }
  | { type: "item_done"; item: ResponseItem }
  | {
      type: "completed";
      responseId: string | undefined;
      usage: TokenUsage | undefined;
      /** The model wants to continue the turn with another response (`end_turn: false`). */
      goesOn?: true;
    }
  | { type: "failed"; failure: ModelFailure };

/** Reason that a response did not complete. */
export interface ModelFailure {
  /** Message for the user; other programs match on its text. */
  message: string;
  /** Code for programs to branch on. */
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
  /** False if a retry cannot help; the turn ends. */
  retryable: boolean;
  /** Delay requested by the model. */
  retryAfterMs?: number;
  /** Status of the HTTP response, if there was one. */
  status?: number;
  /** Rate limits reported with the refusal. */
  rateLimits?: RateLimitSnapshot;
}

/** Login of a request, used if the provider's own key is not set. */
export interface ModelAuth {
  kind: "api_key" | "chatgpt";
  token: string;
  accountId?: string;
  planType?: string;
}

/** Source of the login, queried for every request. */
export interface ModelAuthSource {
  current(): Promise<ModelAuth | undefined>;
  /** Called after the model refused the token; returns true if there is a new one. */
  refresh(): Promise<boolean>;
}

/**
 * Client of a model.
 *
 * `stream` yields batches, one for each piece of network data, so that a delta costs no promise.
 * Errors arrive as a last `failed` item; it throws only when `signal` aborts, which stops the
 * request at once. Retries within the `request_max_retries` budget happen inside; a `retrying` item
 * reports each.
 */
export interface ModelClient {
  /** Sends a request; yields its response in batches and ends after `completed` or `failed`. */
  stream(prompt: Prompt, signal: AbortSignal): AsyncGenerator<readonly StreamItem[]>;
  /** Closes kept-alive connections. */
  close(): void;
}

/** Capabilities of a group of models. */
export interface ModelFamily {
  /** Name of the family; that of the model itself if it has no family. */
  name: string;
  /** True if requests may ask for reasoning and its summary. */
  reasoning: boolean;
  /** Effort requested by default. */
  defaultEffort?: ReasoningEffort;
  defaultSummary?: ReasoningSummary;
  /** True if the instructions must explain `apply_patch` as a shell command. */
  needsPatchText: boolean;
  /** Format in which `apply_patch` is offered by default; absent: only if the user enables it. */
  applyPatchTool?: "freeform" | "function";
  shellTool: "shell" | "local_shell" | "unified_exec";
  /** Context window in tokens; absent if unknown. */
  contextWindow?: number;
  maxOutputTokens?: number;
  /** True if calls of one response may run in parallel. */
  parallelToolCalls: boolean;
  /** True if the model knows the items of a search for tools. */
  toolSearch?: boolean;
  /** Set if the model works through scripts that call tools. */
  toolMode?: "code_only";
  /** True if requests ask the server to review scripts, which is in their metadata only. */
  scriptReview?: boolean;
  /** True if requests may set the verbosity. */
  verbosity: boolean;
  defaultVerbosity?: Verbosity;
  /** Generation of the tools of helper agents that the model knows. */
  multiAgent?: "v1" | "v2";
  /** True if the model knows the tools of the clock. */
  clock?: boolean;
  /** True if the model knows questions that it does not wait for. */
  asyncQuestions?: boolean;
  /** True if the model gets a description of the default collaboration mode too. */
  explainsDefaultMode?: boolean;
  /** False if the model is not in the catalogue and these are assumptions. */
  known: boolean;
}
