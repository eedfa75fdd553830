import { lineCount } from "../lib/text.js";
import type { CommandResult } from "./failure.js";
import {
  approxTokenCount,
  type OutputLimit,
  truncateText,
  truncateWithNotice,
} from "./truncate.js";
import { truncateToLines } from "./truncate-lines.js";

/** Truncation of output for the model: by lines and bytes, or in the middle by a limit. */
export type OutputCut =
  | { by: "lines" }
  | { by: "limit"; limit: OutputLimit; tokenNotice?: boolean };

/** The fields of a result that the functions below format. */
export type FinishedCommand = Pick<
  CommandResult,
  "exitCode" | "aggregated" | "durationMs" | "timedOut"
>;

/** Result of one call to a session. */
export interface SessionOutput {
  chunkId: string;
  wallTimeMs: number;
  /** Absent while it runs. */
  exitCode?: number;
  /** Present while it runs. */
  sessionId?: number;
  /** Output since the last call, not truncated. */
  text: string;
}

/** The output as the model is to see it: `formatted_output` of the end event. */
export function formattedOutput(command: FinishedCommand, cut: OutputCut): string {
  const text = wholeText(command);
  if (cut.by === "lines") return truncateToLines(text);
  return truncateWithNotice(text, cut.limit, { tokenNotice: cut.tokenNotice ?? false });
}

/** The answer to a `shell` call: the output and how the command ended, as a JSON text. */
export function structuredOutput(command: FinishedCommand, cut: OutputCut): string {
  return JSON.stringify({
    output: formattedOutput(command, cut),
    metadata: { exit_code: command.exitCode, duration_seconds: seconds(command.durationMs) },
  });
}

/** The answer to a `shell_command` call: a few lines of facts, then the output. */
export function plainOutput(command: FinishedCommand, limit: OutputLimit): string {
  const text = wholeText(command);
  const shown = truncateText(text, limit);
  const total = lineCount(text);
  return [
    `Exit code: ${command.exitCode}`,
    `Wall time: ${seconds(command.durationMs)} seconds`,
    ...(total === lineCount(shown) ? [] : [`Total output lines: ${total}`]),
    "Output:",
    shown,
  ].join("\n");
}

/** The answer to `exec_command` and `write_stdin`. */
export function sessionOutput(
  output: SessionOutput,
  options: { maxTokens?: number; tokenNotice?: boolean } = {},
): string {
  const limit: OutputLimit = { mode: "tokens", limit: options.maxTokens ?? usualTokens };
  return [
    `Chunk ID: ${output.chunkId}`,
    `Wall time: ${(output.wallTimeMs / 1000).toFixed(4)} seconds`,
    ...(output.exitCode === undefined ? [] : [`Process exited with code ${output.exitCode}`]),
    ...(output.sessionId === undefined
      ? []
      : [`Process running with session ID ${output.sessionId}`]),
    `Original token count: ${approxTokenCount(output.text)}`,
    "Output:",
    truncateWithNotice(output.text, limit, { tokenNotice: options.tokenNotice ?? false }),
  ].join("\n");
}

const usualTokens = 10_000;

function wholeText({ aggregated, durationMs, timedOut }: FinishedCommand): string {
  if (!timedOut) return aggregated;
  return `command timed out after ${Math.floor(durationMs)} milliseconds\n${aggregated}`;
}

function seconds(durationMs: number): number {
  return Math.round(durationMs / 100) / 10;
}
