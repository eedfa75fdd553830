import { RpcError } from "../../client/index.js";
import type { Config } from "../../config/index.js";
import { CodexError } from "../../protocol/error.js";
import type { Turn, TurnError } from "../../protocol/rpc/v2/turn.js";
import { TransportError } from "../../transport/index.js";
import type { CommandIo } from "../command.js";
import { exitCodes } from "../exit-codes.js";
import type { ExecRequest } from "./exec-request.js";

/** Outcome of a run. */
interface Outcome {
  turn: Turn;
  /** Status of the goal, if there is one. */
  goal?: string | undefined;
  /** Number of declined approval requests. */
  declined: number;
  isInterrupted: boolean;
}

/** Returns the exit code of a run; `failureCode` of the era selects how failures are distinguished. */
export function exitCodeOfRun(
  { turn, goal = "complete", declined, isInterrupted }: Outcome,
  failureCode: "by cause" | "one" | "none",
): number {
  if (isInterrupted) return exitCodes.interrupted;
  if (isOverBudget(turn)) return exitCodes.limit;
  if (failureCode === "none") return exitCodes.ok;
  if (turn.status === "failed") {
    return failureCode === "one" ? exitCodes.failed : codeOfFailure(turn.error);
  }
  if (goal === "budgetLimited") return exitCodes.limit;
  if (turn.status !== "completed" || goal !== "complete") return exitCodes.failed;
  return declined > 0 && failureCode === "by cause" ? exitCodes.approval : exitCodes.ok;
}

function isOverBudget({ error }: Turn): boolean {
  return error?.codexErrorInfo === "budgetExceeded";
}

function codeOfFailure(error: TurnError | null): number {
  const info = error?.codexErrorInfo;
  const name = typeof info === "string" ? info : Object.keys(info ?? {})[0];
  // A stream that disconnected for good has no error code, only this message prefix.
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
 * Converts an error of starting a run to one with an exit code.
 *
 * The server reports only a message. A config error, which has a separate exit code, is recognized by
 * loading the config again.
 */
export async function explainFailure(
  error: unknown,
  { thread, remote, bypassesHookTrust }: ExecRequest,
  { env }: CommandIo,
): Promise<unknown> {
  if (error instanceof TransportError) return new CodexError("io", error.message, { cause: error });
  if (!(error instanceof RpcError)) return error;
  if (remote === undefined) {
    const { loadConfig } = await import("../../config/index.js");
    try {
      const config = await loadConfig({ env, cwd: thread.cwd, overrides: thread.config });
      await assertHooks(config, bypassesHookTrust);
    } catch (problem) {
      if (problem instanceof CodexError) return problem;
    }
  }
  return new CodexError("invalid_request", error.message, { cause: error });
}

async function assertHooks(config: Config, bypassesTrust: boolean): Promise<void> {
  const { loadHooks } = await import("../../hooks/index.js");
  const { assertTrusted } = await import("../../engine/local/hooks.js");
  if (bypassesTrust) loadHooks(config.hooks, config.hook_states);
  else assertTrusted(config);
}
