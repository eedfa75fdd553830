/** Machine-readable error code. Codes are added, never renamed. */
export type ErrorCode =
  | "invalid_request"
  | "unknown_op"
  | "no_session"
  | "thread_not_found"
  | "not_found"
  | "config"
  | "auth"
  | "sandbox_denied"
  | "sandbox_unavailable"
  | "exec_failed"
  | "patch_failed"
  /** The model failed for a reason without a code. */
  | "model"
  /** Credentials are missing, wrong or expired. */
  | "unauthorized"
  /** The usage limit of the plan or the quota is reached. */
  | "usage_limit"
  /** A budget of the config is used up. */
  | "budget"
  /** Too many requests; retry later. */
  | "rate_limit"
  /** The conversation exceeds the context window of the model. */
  | "context_window"
  /** A server is overloaded; retry later. */
  | "server_overloaded"
  /** The model provider failed (HTTP status 5xx). */
  | "server_error"
  /** A server cannot be reached, or the connection was lost. */
  | "connection"
  /** The `Codex` was closed. */
  | "closed"
  /** Another client interrupted the turn. */
  | "interrupted"
  | "io"
  | "unsupported"
  | "internal";

/** Options for a `CodexError`. */
export interface CodexErrorOptions {
  /** Machine-readable details, JSON-safe. */
  data?: Record<string, unknown>;
  /** The original error. */
  cause?: unknown;
}

/** The error class of this project: a message for people, a code for programs. */
export class CodexError extends Error {
  override readonly name = "CodexError";
  /** Machine-readable error code. */
  readonly code: ErrorCode;
  /** Machine-readable details, JSON-safe. */
  readonly data: Record<string, unknown> | undefined;

  /** Creates an error; `options` has the cause and data for programs. */
  constructor(code: ErrorCode, message: string, options: CodexErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.data = options.data;
  }
}
