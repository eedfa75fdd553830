import { CodexError, type ErrorCode } from "../protocol/error.js";

/** The exit codes of the program; what each means is told in docs/cli.md. */
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

/** What each exit code says, for the docs. */
export const exitMeanings: Readonly<Record<keyof typeof exitCodes, string>> = {
  ok: "All went well.",
  failed: "What was asked for could not be done, or the turn failed.",
  usage: "The command line cannot be understood; the message says what to type instead.",
  config: "The settings have a mistake, or there is no sign-in.",
  approval: "An approval was needed that nobody could give.",
  limit: "A limit was reached: turns, seconds or tokens.",
  model: "The model cannot be reached, or refuses to answer.",
  interrupted: "It was interrupted by Ctrl-C or ended by a signal.",
};

/** The user or the system asked the program to end. */
export class Interrupted extends Error {}

/** The exit code for what ended a command. */
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
};

/** Something typed that cannot be understood; the message says what to type instead. */
export class UsageError extends Error {}
