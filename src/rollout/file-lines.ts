import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { errorCode, errorText } from "../lib/errors.js";
import { CodexError } from "../protocol/error.js";

/** A line of a file: its position, and its bytes without the newline. */
export interface FileLine {
  /** Starts at 1. */
  number: number;
  /** Offsets of this line and of the next one. */
  start: number;
  end: number;
  /** Undefined if the line is longer than the limit. Valid only until the next call. */
  bytes: Buffer | undefined;
}

/**
 * Splits a stream of bytes into lines.
 *
 * Lines over the limit are skipped without being buffered, so memory stays within the limit.
 */
export class LineSplitter {
  readonly #maxBytes: number;
  #number = 1;
  #start: number;
  #parts: Buffer[] = [];
  #size = 0;
  #tooLong = false;

  /** `start` is the offset of the stream in its file. */
  constructor(maxBytes: number, start = 0) {
    this.#maxBytes = maxBytes;
    this.#start = start;
  }

  /** Offset of the line that is still incomplete. */
  get start(): number {
    return this.#start;
  }

  /** Calls `visit` for each line that ends in the chunk. */
  push(chunk: Buffer, visit: (line: FileLine) => void): void {
    let from = 0;
    for (;;) {
      const at = chunk.indexOf(0x0a, from);
      if (at < 0) break;
      this.#take(chunk.subarray(from, at));
      visit(this.#end(1));
      from = at + 1;
    }
    // The caller reuses the chunk's memory, so the incomplete line is copied.
    if (from < chunk.length) this.#take(Buffer.from(chunk.subarray(from)));
  }

  /** Returns the last line if the file does not end with a newline. */
  rest(): FileLine | undefined {
    return this.#size === 0 ? undefined : this.#end(0);
  }

  #take(part: Buffer): void {
    this.#size += part.length;
    if (this.#size > this.#maxBytes) {
      this.#tooLong = true;
      this.#parts = [];
    } else if (part.length > 0) {
      this.#parts.push(part);
    }
  }

  #end(newline: number): FileLine {
    const [first] = this.#parts;
    const whole = this.#parts.length === 1 && first ? first : Buffer.concat(this.#parts);
    const end = this.#start + this.#size + newline;
    const line = {
      number: this.#number,
      start: this.#start,
      end,
      bytes: this.#tooLong ? undefined : whole,
    };
    this.#number++;
    this.#start = end;
    this.#parts = [];
    this.#size = 0;
    this.#tooLong = false;
    return line;
  }
}

/** Opens a rollout for reading; throws a `CodexError` if it is missing or not a file. */
export async function openForReading(path: string): Promise<FileHandle> {
  try {
    // Non-blocking: opening a named pipe in place of a rollout would wait forever.
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    if ((await file.stat()).isFile()) return file;
    await file.close();
  } catch (error) {
    const missing = errorCode(error) === "ENOENT";
    const reason = errorText(error);
    const message = missing ? `No rollout at ${path}` : `Cannot read ${path}: ${reason}`;
    throw new CodexError(missing ? "not_found" : "io", message, { cause: error, data: { path } });
  }
  throw new CodexError("invalid_request", `${path} is not a file`, { data: { path } });
}

/**
 * Yields the bytes between two offsets; reads the next chunk while the caller uses the last one.
 */
export async function* readAhead(
  file: FileHandle,
  from: number,
  until: number,
): AsyncGenerator<Buffer> {
  const read = (buffer: Buffer, at: number) =>
    file.read(buffer, 0, Math.min(buffer.length, until - at), at);
  const size = Math.min(chunkBytes, Math.max(1, until - from)); // a single turn is small
  let [current, spare] = [Buffer.allocUnsafe(size), Buffer.allocUnsafe(size)];
  let reading = read(current, from);
  for (let at = from; ; ) {
    const { bytesRead } = await reading;
    if (bytesRead === 0) return;
    at += bytesRead;
    reading = read(spare, at);
    // If the consumer stops early, the pending read is not awaited.
    reading.catch(() => {});
    yield current.subarray(0, bytesRead);
    [current, spare] = [spare, current];
  }
}

const chunkBytes = 512 * 1024;
