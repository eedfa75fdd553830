import type { Turn, TurnError } from "../../protocol/rpc/v2/turn.js";
import { exitCodes } from "../exit-codes.js";

/** How a run ended. */
export interface Outcome {
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
