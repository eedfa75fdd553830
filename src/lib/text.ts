/** A text without its middle. */
interface SplitText {
  head: string;
  tail: string;
  /** Number of characters removed. */
  removedChars: number;
}

/** Returns the first and last bytes of a text, cut between characters; limits are in UTF-8 bytes. */
export function splitText(text: string, headBytes: number, tailBytes: number): SplitText {
  const bytes = Buffer.from(text);
  const headEnd = boundaryBefore(bytes, headBytes);
  const tailStart = boundaryAfter(bytes, Math.max(headEnd, bytes.length - tailBytes));
  return {
    head: bytes.toString("utf8", 0, headEnd),
    tail: bytes.toString("utf8", tailStart),
    removedChars: countChars(bytes, headEnd, tailStart),
  };
}

/** Returns the longest beginning that fits in `maxBytes`, cut between characters. */
export function takeFirstBytes(text: string, maxBytes: number): string {
  return splitText(text, maxBytes, 0).head;
}

/** Returns the longest end that fits in `maxBytes`, cut between characters. */
export function takeLastBytes(text: string, maxBytes: number): string {
  return splitText(text, 0, maxBytes).tail;
}

/** Returns the length of a text in UTF-8 bytes. */
export function byteLength(text: string): number {
  return Buffer.byteLength(text);
}

/** Counts the characters (code points, not code units) of a text. */
export function charCount(text: string): number {
  const bytes = Buffer.from(text);
  return countChars(bytes, 0, bytes.length);
}

/** Splits a text into lines without line ends; a final line end starts no further line. */
export function linesOf(text: string): string[] {
  const lines = text.split("\n").map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

/** Counts the lines that `linesOf` returns. */
export function lineCount(text: string): number {
  if (text === "") return 0;
  let count = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count++;
  return text.endsWith("\n") ? count : count + 1;
}

/** A character has at most three bytes after its first; in binary data the search ends there. */
const longestRest = 3;

/** Returns the last character start at or before `at`. */
export function boundaryBefore(bytes: Uint8Array, at: number): number {
  if (at >= bytes.length) return bytes.length;
  const lowest = Math.max(0, at - longestRest);
  let index = Math.max(0, at);
  while (index > lowest && isContinuation(bytes[index])) index--;
  return index;
}

/** Returns the first character start at or after `at`. */
export function boundaryAfter(bytes: Uint8Array, at: number): number {
  const highest = Math.min(bytes.length, at + longestRest);
  let index = Math.max(0, at);
  while (index < highest && isContinuation(bytes[index])) index++;
  return Math.min(index, bytes.length);
}

function countChars(bytes: Uint8Array, from: number, to: number): number {
  let count = 0;
  for (let index = from; index < to; index++) if (!isContinuation(bytes[index])) count++;
  return count;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

/**
 * Removes control characters except line breaks and tabs, so that a terminal prints the text as is.
 *
 * Output of a model, a command or a file may contain sequences that move the cursor, change the
 * title or type for the user. Characters that change the text direction are removed as well.
 */
export function printable(text: string): string {
  return text.replace(sequences, "").replace(/\r\n?/g, "\n").replace(controls, "");
}

// Whole sequences first, so that their letters do not remain as text.
const sequences =
  /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)?|\x1b[ -/]*[0-~]?/g;

const controls = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g;

/** Returns the value if it is a string. */
export function asString(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** Returns the first and the last lines of a long text. */
export function shortenLines(output: string): string {
  const lines = output.split("\n");
  if (lines.length <= 2 * keptLines) return output;
  const left = lines.length - 2 * keptLines;
  const gap = `… ${left} more lines …`;
  return [...lines.slice(0, keptLines), gap, ...lines.slice(-keptLines)].join("\n");
}

const keptLines = 20;
