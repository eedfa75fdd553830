import {
  boundaryAfter,
  boundaryBefore,
  byteLength,
  lineCount,
  linesOf,
  takeFirstBytes,
  takeLastBytes,
} from "../lib/text.js";
import { approxTokens, type TruncatedText } from "./truncate.js";

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
