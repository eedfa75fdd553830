import {
  boundaryAfter,
  boundaryBefore,
  byteLength,
  lineCount,
  linesOf,
  takeFirstBytes,
  takeLastBytes,
} from "../lib/text.js";
import type { CommandResult } from "./failure.js";
import {
  approxTokenCount,
  approxTokens,
  type OutputLimit,
  type TruncatedText,
  truncateText,
  truncateWithNotice,
} from "./truncate.js";

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
  limit: OutputLimit,
  options: { tokenNotice: boolean },
): string {
  return [
    `Chunk ID: ${output.chunkId}`,
    `Wall time: ${(output.wallTimeMs / 1000).toFixed(4)} seconds`,
    ...(output.exitCode === undefined ? [] : [`Process exited with code ${output.exitCode}`]),
    ...(output.sessionId === undefined
      ? []
      : [`Process running with session ID ${output.sessionId}`]),
    `Original token count: ${approxTokenCount(output.text)}`,
    "Output:",
    truncateWithNotice(output.text, limit, options),
  ].join("\n");
}

function wholeText({ aggregated, durationMs, timedOut }: FinishedCommand): string {
  if (!timedOut) return aggregated;
  return `command timed out after ${Math.floor(durationMs)} milliseconds\n${aggregated}`;
}

function seconds(durationMs: number): number {
  return Math.round(durationMs / 100) / 10;
}

const maxLines = 256;
const maxBytes = 10 * 1024;

/**
 * Truncates an output of more than 256 lines or 10 KiB to its first and last lines.
 *
 * One very long line is truncated at its end: it counts as a first line.
 */
export function truncateToLines(text: string): string {
  const total = lineCount(text);
  if (total <= maxLines && byteLength(text) <= maxBytes) return text;
  const lines = linesOf(text);
  const headLines = Math.min(maxLines / 2, lines.length);
  const tailLines = Math.min(maxLines / 2, lines.length - headLines);
  const omitted = lines.length - headLines - tailLines;
  const marker = `\n[... omitted ${omitted} of ${total} lines ...]\n\n`;
  const head = takeFirstBytes(lines.slice(0, headLines).join("\n"), maxBytes / 2);
  const left = maxBytes - byteLength(head) - byteLength(marker);
  const tail = takeLastBytes(lines.slice(lines.length - tailLines).join("\n"), left);
  return `${head}${marker}${tail}`;
}

/** Takes out the middle of a text over `limit` bytes, at line ends where there are some; for the suites alone. */
export function truncateAtLineEnds(text: string, limit: number): TruncatedText {
  const bytes = Buffer.from(text);
  if (bytes.length <= limit) return { text };
  const originalTokens = approxTokens(bytes.length);
  // The marker's length depends on the number in it, and that number on the space left by the
  // marker.
  let removed = originalTokens;
  for (let round = 0; ; round++) {
    const marker = `…${removed} tokens truncated…`;
    const room = limit - byteLength(marker);
    if (room <= 0) return { text: `…${originalTokens} tokens truncated…`, originalTokens };
    const headEnd = lastLineEnd(bytes, Math.floor(room / 2));
    const tailStart = Math.max(headEnd, firstLineStart(bytes, Math.ceil(room / 2)));
    const counted = approxTokens(tailStart - headEnd);
    if (counted === removed || round === rounds) {
      const head = bytes.toString("utf8", 0, headEnd);
      return { text: `${head}${marker}\n${bytes.toString("utf8", tailStart)}`, originalTokens };
    }
    removed = counted;
  }
}

const rounds = 4;
const newline = 0x0a;

function lastLineEnd(bytes: Buffer, budget: number): number {
  if (boundaryBefore(bytes, budget) !== budget) return boundaryBefore(bytes, budget);
  const lineEnd = bytes.subarray(0, budget).lastIndexOf(newline);
  return lineEnd === -1 ? budget : lineEnd + 1;
}

function firstLineStart(bytes: Buffer, budget: number): number {
  const start = Math.max(0, bytes.length - budget);
  if (boundaryAfter(bytes, start) !== start) return boundaryAfter(bytes, start);
  const lineEnd = bytes.indexOf(newline, start);
  return lineEnd === -1 ? start : lineEnd + 1;
}
