import { Malformed } from "./channel.js";

/** The longest line that is read; a longer one is skipped and reported. */
export const maxLineBytes = 64 * 1024 * 1024;

/** How deeply a message may be nested; more is a mistake or an attack on recursive code. */
const maxDepth = 128;

const newline = 0x0a;

/**
 * Reads newline-delimited JSON.
 *
 * Whatever is wrong with a line (bytes that are not UTF-8, text that is not JSON, length, depth)
 * costs that line only: it arrives as a `Malformed` and reading goes on. Blank lines are skipped;
 * a last line without a newline counts.
 */
export async function* readJsonLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<unknown> {
  const splitter = new LineSplitter(maxLineBytes);
  for await (const chunk of untilBroken(bytes)) {
    for (const line of splitter.push(chunk)) {
      const message = parseLine(line);
      if (message !== undefined) yield message;
    }
  }
  const last = splitter.end();
  const message = last === undefined ? undefined : parseLine(last);
  if (message !== undefined) yield message;
}

/** A peer that vanishes, or a stream that we close ourselves, is the end of input and no error. */
async function* untilBroken(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* bytes;
  } catch {
    // what was read before is all there is
  }
}

/** A message as one line. JSON never holds a raw newline, so the line cannot be broken. */
export function toJsonLine(message: unknown): string {
  return `${JSON.stringify(message)}\n`;
}

/** Cuts bytes at newlines, keeping at most `limit` bytes of an unfinished line. */
class LineSplitter {
  #limit: number;
  #parts: Uint8Array[] = [];
  #length = 0;
  #skipping = false;

  constructor(limit: number) {
    this.#limit = limit;
  }

  *push(chunk: Uint8Array): Generator<Uint8Array | Malformed> {
    let start = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
      const line = this.#finish(chunk.subarray(start, end));
      if (line !== undefined) yield line;
      start = end + 1;
    }
    if (start < chunk.length) this.#keep(chunk.subarray(start));
  }

  end(): Uint8Array | Malformed | undefined {
    return this.#length > 0 || this.#skipping ? this.#finish(new Uint8Array()) : undefined;
  }

  #keep(part: Uint8Array): void {
    if (this.#skipping) return;
    this.#length += part.length;
    if (this.#length > this.#limit) {
      this.#parts = [];
      this.#skipping = true;
      return;
    }
    this.#parts.push(part);
  }

  #finish(part: Uint8Array): Uint8Array | Malformed | undefined {
    this.#keep(part);
    const line = this.#skipping ? new Malformed(tooLong(this.#limit)) : this.#join();
    this.#parts = [];
    this.#length = 0;
    this.#skipping = false;
    return line;
  }

  #join(): Uint8Array | undefined {
    if (this.#parts.length <= 1) return this.#parts[0];
    return Buffer.concat(this.#parts, this.#length);
  }
}

function parseLine(line: Uint8Array | Malformed): unknown {
  if (line instanceof Malformed) return line;
  const text = Buffer.from(line.buffer, line.byteOffset, line.byteLength).toString("utf8");
  if (text.trim() === "") return undefined;
  try {
    const value: unknown = JSON.parse(text);
    if (isDeeperThan(text, maxDepth)) return new Malformed(tooDeep, idOf(value));
    return value;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return new Malformed(`The line is not JSON: ${reason}`, idIn(text));
  }
}

/** Counts brackets outside strings; only called on text that is known to be JSON. */
function isDeeperThan(json: string, limit: number): boolean {
  // A short text cannot be deep: each level costs two characters.
  if (json.length < limit * 2) return false;
  let depth = 0;
  for (let at = 0; at < json.length; at++) {
    const char = json.charCodeAt(at);
    if (char === quote) at = endOfString(json, at);
    else if (char === openBrace || char === openBracket) {
      if (++depth > limit) return true;
    } else if (char === closeBrace || char === closeBracket) depth--;
  }
  return false;
}

function endOfString(json: string, start: number): number {
  let end = json.indexOf('"', start + 1);
  while (end >= 0 && isEscaped(json, end)) end = json.indexOf('"', end + 1);
  return end < 0 ? json.length : end;
}

function isEscaped(json: string, at: number): boolean {
  let slashes = 0;
  while (json.charCodeAt(at - 1 - slashes) === backslash) slashes++;
  return slashes % 2 === 1;
}

function idOf(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null || !("id" in value)) return undefined;
  return typeof value.id === "string" ? value.id : undefined;
}

/** The id of a broken submission, so that its sender can tell which one failed. */
function idIn(text: string): string | undefined {
  return /^\s*\{\s*"id"\s*:\s*"([^"\\]{1,256})"/.exec(text.slice(0, 512))?.[1];
}

const tooLong = (limit: number) => `The line is longer than ${limit / 1024 / 1024} MiB`;
const tooDeep = `The message is nested more than ${maxDepth} levels deep`;
const quote = 0x22;
const backslash = 0x5c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;
