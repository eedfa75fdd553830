import { RpcError, rpcCodes } from "../jsonrpc/index.js";
import { errorText } from "../lib/errors.js";
import { CodexError, type ErrorCode } from "../protocol/error.js";
import { isRecord } from "../protocol/read/check.js";
import type { Turn } from "../protocol/rpc/v2/turn.js";
import { TransportError } from "../transport/index.js";

/** Thrown by turns of a `Codex` that was closed. */
export function closedError(cause?: unknown): CodexError {
  return new CodexError("closed", "This Codex was closed; create a new one to continue", { cause });
}

/** Thrown by turns that were interrupted, but not by their own signal. */
export function interruptedError(): CodexError {
  return new CodexError("interrupted", "The turn was interrupted before it was complete");
}

/** Returns any error of the connection or the server as the one class that callers of a thread catch. */
export function toCodexError(error: unknown): CodexError {
  if (error instanceof CodexError) return error;
  const options = { cause: error };
  if (error instanceof TransportError) {
    const code = error.code === "unauthorized" ? "unauthorized" : "connection";
    return new CodexError(code, error.message, options);
  }
  if (!(error instanceof RpcError)) return new CodexError("internal", errorText(error), options);
  const { code, data } = error;
  const facts = { rpcCode: code, ...(data === undefined ? {} : { rpcData: data }) };
  return new CodexError(rpcErrors.get(code) ?? "internal", error.message, {
    ...options,
    data: facts,
  });
}

const rpcErrors: ReadonlyMap<number, ErrorCode> = new Map([
  [rpcCodes.invalidRequest, "invalid_request"],
  [rpcCodes.invalidParams, "invalid_request"],
  [rpcCodes.methodNotFound, "unsupported"],
  [rpcCodes.overloaded, "server_overloaded"],
]);

/** Returns why a turn failed, with `codexErrorInfo` of the wire in its `data`. */
export function turnError({ id, error }: Turn): CodexError {
  const info = error?.codexErrorInfo ?? null;
  const message = error?.message ?? "The turn failed";
  // The protocol has no error info for a stream that broke for good, only this prefix.
  const isBroken = message.startsWith("stream disconnected before completion");
  const data = { turnId: id, codexErrorInfo: info };
  return new CodexError(isBroken ? "connection" : codeOf(info), message, { data });
}

function codeOf(info: unknown): ErrorCode {
  const [name = "", details] = isRecord(info) ? (Object.entries(info)[0] ?? []) : [String(info)];
  const status = isRecord(details) ? details.httpStatusCode : undefined;
  if (status === 401 || status === 403) return "unauthorized";
  if (status === 429) return "rate_limit";
  return modelErrors[name] ?? "model";
}

const modelErrors: Readonly<Record<string, ErrorCode | undefined>> = {
  unauthorized: "unauthorized",
  usageLimitExceeded: "usage_limit",
  budgetExceeded: "budget",
  rateLimitExceeded: "rate_limit",
  contextWindowExceeded: "context_window",
  serverOverloaded: "server_overloaded",
  internalServerError: "server_error",
  responseTooManyFailedAttempts: "server_error",
  httpConnectionFailed: "connection",
  responseStreamConnectionFailed: "connection",
  responseStreamDisconnected: "connection",
  sandboxError: "sandbox_denied",
};
