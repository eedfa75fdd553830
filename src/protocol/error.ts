/** What went wrong, in a word that is never renamed: clients branch on it. */
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
  | "model"
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
  readonly code: ErrorCode;
  readonly data: Record<string, unknown> | undefined;

  constructor(code: ErrorCode, message: string, options: CodexErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.data = options.data;
  }
}
