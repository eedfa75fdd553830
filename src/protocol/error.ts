/** A word for programs to branch on; words are added, never renamed. */
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
  /** The model failed for a reason that has no word of its own. */
  | "model"
  /** A missing, wrong or expired login. */
  | "unauthorized"
  /** The plan or the quota of the account is used up. */
  | "usage_limit"
  /** Too many requests; try again later. */
  | "rate_limit"
  /** The conversation is longer than the model can read. */
  | "context_window"
  /** A server has too much to do; try again later. */
  | "server_overloaded"
  /** The server of the model failed (HTTP status 5xx). */
  | "server_error"
  /** A server cannot be reached, or the connection broke. */
  | "connection"
  /** The `Codex` was closed. */
  | "closed"
  /** The turn was interrupted by another client. */
  | "interrupted"
  | "io"
  | "unsupported"
  | "internal";

/** What a `CodexError` carries besides its code and message. */
export interface CodexErrorOptions {
  /** Facts for a program, safe to write as JSON. */
  data?: Record<string, unknown>;
  /** The error that led to this one. */
  cause?: unknown;
}

/** The one error this project throws; its message is for a person, its code for a program. */
export class CodexError extends Error {
  override readonly name = "CodexError";
  /** The kind of error, for programs. */
  readonly code: ErrorCode;
  /** Facts for a program, safe to write as JSON. */
  readonly data: Record<string, unknown> | undefined;

  constructor(code: ErrorCode, message: string, options: CodexErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.data = options.data;
  }
}
