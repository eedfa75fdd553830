import { Malformed } from "./channel.js";
import { maxMessageBytes, parseMessage } from "./parse-message.js";

/** Longest accepted line; a longer one is skipped and reported. */
export const maxLineBytes = maxMessageBytes;

/**
 * Reads newline-delimited JSON.
 *
 * A bad line (invalid UTF-8 or JSON, too long, too deep) affects only itself: it arrives as a
 * `Malformed`. Blank lines are skipped; a last line without a newline counts, unless the stream
 * broke.
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

/** Formats a message as one line. JSON never contains a raw newline, so it cannot break the line. */
export function toJsonLine(message: unknown): string {
  return `${JSON.stringify(message)}\n`;
}

/** Parses bytes into messages as they arrive, buffering at most one incomplete line. */
export class LineParser {
  #lines: LineSplitter;

  /** `firstLimit` bounds the first line: little is buffered before a client is authenticated. */
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

  /** Delivers the last line if the stream ended without a newline. */
  end(): void {
    this.#lines.end();
  }
}

/** Splits bytes into lines; one that is too long is skipped and delivered as a `Malformed`. */
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

  /** Delivers the last line if the stream ended without a newline. */
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

/** Returns undefined for a blank line, which is not a message. */
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
