import { RpcError } from "../../client/index.js";
import { CodexError } from "../../protocol/error.js";
import type { Turn, TurnError } from "../../protocol/rpc/v2/turn.js";
import { TransportError } from "../../transport/error.js";
import type { CommandIo } from "../command.js";
import { exitCodes } from "../exit-codes.js";
import type { ExecRequest } from "./exec-request.js";

/** How a run ended. */
interface Outcome {
  turn: Turn;
  /** A limit that ended it. */
  limit: string | undefined;
  /** How many approvals were asked for that nobody could give. */
  declined: number;
  isInterrupted: boolean;
}

/** The exit code of a run; how finely it tells failures apart depends on the version. */
export function exitCodeOfRun(
  { turn, limit, declined, isInterrupted }: Outcome,
  failureCode: "by cause" | "one" | "none",
): number {
  if (isInterrupted) return exitCodes.interrupted;
  if (limit !== undefined && turn.status === "interrupted") return exitCodes.limit;
  if (failureCode === "none") return exitCodes.ok;
  if (turn.status === "failed") {
    return failureCode === "one" ? exitCodes.failed : codeOfFailure(turn.error);
  }
  if (turn.status !== "completed") return exitCodes.failed;
  return declined > 0 && failureCode === "by cause" ? exitCodes.approval : exitCodes.ok;
}

function codeOfFailure(error: TurnError | null): number {
  const info = error?.codexErrorInfo;
  const name = typeof info === "string" ? info : Object.keys(info ?? {})[0];
  // A stream that broke for good has no word of its own, only this beginning of its text.
  if (error?.message.startsWith("stream disconnected before completion")) return exitCodes.model;
  return codes.get(name ?? "") ?? exitCodes.failed;
}

const codes: ReadonlyMap<string, number> = new Map([
  ["unauthorized", exitCodes.config],
  ["usageLimitExceeded", exitCodes.model],
  ["rateLimitExceeded", exitCodes.model],
  ["serverOverloaded", exitCodes.model],
  ["modelNotFound", exitCodes.model],
  ["internalServerError", exitCodes.model],
  ["httpConnectionFailed", exitCodes.model],
  ["responseStreamConnectionFailed", exitCodes.model],
  ["responseStreamDisconnected", exitCodes.model],
  ["responseTooManyFailedAttempts", exitCodes.model],
]);

/**
 * Why a run could not begin, as the program tells it.
 *
 * A server says it in words only. Whether it was a mistake in the settings, which has an exit code
 * of its own, is found out by reading them again.
 */
export async function explainFailure(
  error: unknown,
  { thread, remote }: ExecRequest,
  { env }: CommandIo,
): Promise<unknown> {
  if (error instanceof TransportError) return new CodexError("io", error.message, { cause: error });
  if (!(error instanceof RpcError)) return error;
  if (remote === undefined) {
    const { assertEnforceable, loadConfig } = await import("../../config/index.js");
    try {
      assertEnforceable(await loadConfig({ env, cwd: thread.cwd, overrides: thread.config }));
    } catch (problem) {
      if (problem instanceof CodexError) return problem;
    }
  }
  return new CodexError("invalid_request", error.message, { cause: error });
}
