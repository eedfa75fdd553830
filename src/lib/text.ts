/** What is left of a text when its middle is taken out. */
interface SplitText {
  head: string;
  tail: string;
  /** How many characters lay between. */
  removedChars: number;
}

/** The first and the last bytes of a text, cut between characters; the limits count UTF-8 bytes. */
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

/** As much of the beginning as fits in `maxBytes`, cut between characters. */
export function takeFirstBytes(text: string, maxBytes: number): string {
  return splitText(text, maxBytes, 0).head;
}

/** As much of the end as fits in `maxBytes`, cut between characters. */
export function takeLastBytes(text: string, maxBytes: number): string {
  return splitText(text, 0, maxBytes).tail;
}

/** The length of a text in UTF-8. */
export function byteLength(text: string): number {
  return Buffer.byteLength(text);
}

/** How many characters (code points, not code units) a text has. */
export function charCount(text: string): number {
  const bytes = Buffer.from(text);
  return countChars(bytes, 0, bytes.length);
}

/** The lines of a text without their ends; a line end at the very end starts no further line. */
export function linesOf(text: string): string[] {
  const lines = text.split("\n").map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

/** How many lines `linesOf` would give. */
export function lineCount(text: string): number {
  if (text === "") return 0;
  let count = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count++;
  return text.endsWith("\n") ? count : count + 1;
}

/** A character has at most three bytes after its first; bytes that are no text end a search there. */
const longestRest = 3;

/** The last place at or before `at` where a character starts. */
export function boundaryBefore(bytes: Uint8Array, at: number): number {
  if (at >= bytes.length) return bytes.length;
  const lowest = Math.max(0, at - longestRest);
  let index = Math.max(0, at);
  while (index > lowest && isContinuation(bytes[index])) index--;
  return index;
}

/** The first place at or after `at` where a character starts. */
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
 * Text that a terminal shows and does not obey: control characters are gone, but for line breaks and tabs.
 *
 * What a model, a command or a file says may hold sequences that move the cursor, change the title or
 * type for the user; also the letters that turn the direction of reading around are taken out.
 */
export function printable(text: string): string {
  return text.replace(sequences, "").replace(/\r\n?/g, "\n").replace(controls, "");
}

// Whole sequences first, so that their letters do not stay behind as text.
const sequences =
  /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)?|\x1b[ -/]*[0-~]?/g;

const controls = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g;

/** The value when it is text, else nothing. */
export function asString(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
