import { Malformed } from "./channel.js";
import { maxMessageBytes, parseMessage } from "./parse-message.js";

/** The longest line that is read; a longer one is skipped and reported. */
export const maxLineBytes = maxMessageBytes;

/**
 * Reads newline-delimited JSON.
 *
 * Whatever is wrong with a line (bytes that are not UTF-8, text that is not JSON, length, depth)
 * costs that line only: it arrives as a `Malformed` and reading goes on. Blank lines are skipped;
 * a last line without a newline counts, unless the stream broke in the middle of it.
 */
export async function* readJsonLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<unknown> {
  const messages: unknown[] = [];
  const lines = new LineParser((message) => messages.push(message));
  const taken = () => messages.splice(0);
  try {
    for await (const chunk of bytes) {
      lines.push(chunk);
      yield* taken();
    }
  } catch {
    return; // a peer that vanishes is the end of input and no error
  }
  lines.end();
  yield* taken();
}

/** A message as one line. JSON never holds a raw newline, so the line cannot be broken. */
export function toJsonLine(message: unknown): string {
  return `${JSON.stringify(message)}\n`;
}

/** Turns bytes into messages as they arrive, keeping at most one unfinished line. */
export class LineParser {
  #onMessage: (message: unknown, bytes: number) => void;
  #limit: number;
  #parts: Uint8Array[] = [];
  #length = 0;
  #skipping = false;

  /** A stranger's first line may have its own limit: nothing large is kept before it is let in. */
  constructor(onMessage: (message: unknown, bytes: number) => void, firstLimit = maxLineBytes) {
    this.#onMessage = onMessage;
    this.#limit = firstLimit;
  }

  push(chunk: Uint8Array): void {
    let start = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
      this.#finish(chunk.subarray(start, end));
      start = end + 1;
    }
    if (start < chunk.length) this.#keep(chunk.subarray(start));
  }

  /** Hands out the last line when the stream ended without a newline. */
  end(): void {
    this.#finish(new Uint8Array());
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

  #finish(part: Uint8Array): void {
    this.#keep(part);
    const message = this.#skipping ? new Malformed(tooLong(this.#limit)) : parseLine(this.#parts);
    const bytes = this.#length;
    this.#limit = maxLineBytes;
    this.#parts = [];
    this.#length = 0;
    this.#skipping = false;
    if (message !== undefined) this.#onMessage(message, bytes);
  }
}

/** Undefined for a blank line, which is no message. */
function parseLine(parts: Uint8Array[]): unknown {
  const [first] = parts;
  if (first === undefined) return undefined;
  const bytes = parts.length === 1 ? first : Buffer.concat(parts);
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
  return text.trim() === "" ? undefined : parseMessage(text);
}

const newline = 0x0a;
const tooLong = (limit: number) => `The line is longer than ${limit / 1024 / 1024} MiB`;
