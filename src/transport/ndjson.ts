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
  #lines: LineSplitter;

  /** A stranger's first line may have its own limit: nothing large is kept before it is let in. */
  constructor(onMessage: (message: unknown, bytes: number) => void, firstLimit = maxLineBytes) {
    this.#lines = new LineSplitter(
      (line, bytes) => {
        const message = line instanceof Malformed ? line : parseLine(line);
        if (message !== undefined) onMessage(message, bytes);
      },
      { limit: maxLineBytes, firstLimit },
    );
  }

  push(chunk: Uint8Array): void {
    this.#lines.push(chunk);
  }

  /** Hands out the last line when the stream ended without a newline. */
  end(): void {
    this.#lines.end();
  }
}

/** Cuts bytes into lines; one that is too long is skipped and handed out as a `Malformed`. */
export class LineSplitter {
  #onLine: (line: string | Malformed, bytes: number) => void;
  #limit: number;
  #laterLimit: number;
  #parts: Uint8Array[] = [];
  #length = 0;
  #skipping = false;

  constructor(
    onLine: (line: string | Malformed, bytes: number) => void,
    { limit, firstLimit = limit }: { limit: number; firstLimit?: number },
  ) {
    this.#onLine = onLine;
    this.#limit = firstLimit;
    this.#laterLimit = limit;
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
    const line = this.#skipping ? new Malformed(tooLong(this.#limit)) : textOf(this.#parts);
    const bytes = this.#length;
    this.#limit = this.#laterLimit;
    this.#parts = [];
    this.#length = 0;
    this.#skipping = false;
    this.#onLine(line, bytes);
  }
}

/** Undefined for a blank line, which is no message. */
function parseLine(text: string): unknown {
  return text.trim() === "" ? undefined : parseMessage(text);
}

function textOf(parts: Uint8Array[]): string {
  const [first] = parts;
  if (first === undefined) return "";
  const bytes = parts.length === 1 ? first : Buffer.concat(parts);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
}

const newline = 0x0a;
const tooLong = (limit: number) => `The line is longer than ${limit / 1024 / 1024} MiB`;
