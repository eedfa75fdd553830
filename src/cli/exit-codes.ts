import { CodexError, type ErrorCode } from "../protocol/error.js";

/** Exit codes of the program, documented in docs/cli.md. */
export const exitCodes = {
  ok: 0,
  failed: 1,
  usage: 2,
  config: 3,
  approval: 4,
  limit: 5,
  model: 6,
  interrupted: 130,
} as const;

/** Meaning of each exit code, for the docs. */
export const exitMeanings: Readonly<Record<keyof typeof exitCodes, string>> = {
  ok: "Success.",
  failed: "The command or the turn failed.",
  usage: "Usage error; the message contains the remedy.",
  config: "Config error, or not logged in.",
  approval: "An approval was needed and no user was present.",
  limit: "A limit was reached: a budget, `--max-turns`, `--max-seconds` or `--max-tokens`.",
  model: "The model is unavailable or rejected the request.",
  interrupted: "Interrupted by Ctrl-C or a signal.",
};

/** Thrown when a signal ends the program. */
export class Interrupted extends Error {}

/** Returns the exit code for an error of a command. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof Interrupted) return exitCodes.interrupted;
  if (error instanceof UsageError) return exitCodes.usage;
  if (!(error instanceof CodexError)) return exitCodes.failed;
  return byErrorCode[error.code] ?? exitCodes.failed;
}

const byErrorCode: Partial<Record<ErrorCode, number>> = {
  config: exitCodes.config,
  auth: exitCodes.config,
  model: exitCodes.model,
  budget: exitCodes.limit,
};

/** Thrown on a wrong command line; the message contains the remedy. */
export class UsageError extends Error {}
