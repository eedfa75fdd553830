import { errorText } from "../lib/errors.js";
import { CodexError, type ErrorCode } from "../protocol/error.js";

/** A JSON-RPC error: thrown by request handlers, and by requests that failed. */
export class RpcError extends Error {
  override readonly name = "RpcError";
  /** The JSON-RPC code; `rpcCodes` has their names. */
  readonly code: number;
  /** Data for programs, if the server sent some. */
  readonly data: unknown;

  /** Creates an error response. */
  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }

  /** Returns the `error` member of a reply. */
  toJSON(): { code: number; message: string; data?: unknown } {
    const { code, message, data } = this;
    return data === undefined ? { code, message } : { code, message, data };
  }
}

/** Error codes defined by JSON-RPC, and the code of an overloaded server. */
export const rpcCodes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  overloaded: -32001,
} as const;

/** Error for a request that arrives while too many others are in flight. */
export function overloaded(): RpcError {
  return new RpcError(rpcCodes.overloaded, "Server overloaded; retry later.");
}

/** Maps the error of a handler: mistakes of the client are invalid requests, others internal errors. */
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
