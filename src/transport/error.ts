/** Stable codes of transport errors. */
export type TransportErrorCode =
  | "bad_url"
  | "not_private"
  | "in_use"
  | "unauthorized"
  | "unreachable"
  | "bad_token";

/** Thrown when a listener cannot start or a connection cannot be made. */
export class TransportError extends Error {
  override readonly name = "TransportError";
  /** The kind of failure, for programs. */
  readonly code: TransportErrorCode;

  /** Creates an error of a transport. */
  constructor(code: TransportErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
  }
}

/** Returns the system's error code, such as `ECONNREFUSED`. */
export function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}
