/** What went wrong with a transport, in a word that is never renamed. */
export type TransportErrorCode =
  | "bad_url"
  | "not_private"
  | "in_use"
  | "unauthorized"
  | "unreachable"
  | "bad_token";

/** Why a listener could not start or a connection could not be made. */
export class TransportError extends Error {
  override readonly name = "TransportError";
  readonly code: TransportErrorCode;

  constructor(code: TransportErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
  }
}

/** The word the system has for an error, such as `ECONNREFUSED`. */
export function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}
