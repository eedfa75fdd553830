import { errorText } from "../lib/errors.js";
import { CodexError, type ErrorCode } from "../protocol/error.js";

/** An error as JSON-RPC has it: thrown by whoever answers a request, and by one that failed. */
export class RpcError extends Error {
  override readonly name = "RpcError";
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }

  /** The `error` member of a reply. */
  toJSON(): { code: number; message: string; data?: unknown } {
    const { code, message, data } = this;
    return data === undefined ? { code, message } : { code, message, data };
  }
}

/** The codes that JSON-RPC defines, and the one of a server that has too much to do. */
export const rpcCodes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  overloaded: -32001,
} as const;

/** What a request gets that comes while too many others are being answered. */
export function overloaded(): RpcError {
  return new RpcError(rpcCodes.overloaded, "Server overloaded; retry later.");
}

/** What a request gets whose answer threw: the client's mistakes are invalid, others internal. */
export function toRpcError(error: unknown): RpcError {
  if (error instanceof RpcError) return error;
  const message = errorText(error);
  const isClients = error instanceof CodexError && clientsFault.has(error.code);
  return new RpcError(isClients ? rpcCodes.invalidRequest : rpcCodes.internal, message);
}

const clientsFault: ReadonlySet<ErrorCode> = new Set([
  "invalid_request",
  "unknown_op",
  "no_session",
  "thread_not_found",
  "not_found",
  "config",
  "unsupported",
]);
