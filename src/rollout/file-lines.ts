import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { errorCode, errorText } from "../lib/errors.js";
import { CodexError } from "../protocol/error.js";

/** A line of a file: where it lies, and its bytes without the line end. */
export interface FileLine {
  /** Counted from 1. */
  number: number;
  /** Where it begins and where the next one does, in bytes from the beginning of the file. */
  start: number;
  end: number;
  /** Absent when the line is longer than the limit. Valid only until the next call. */
  bytes: Buffer | undefined;
}

/**
 * Cuts a stream of bytes into lines.
 *
 * A line over the limit is passed over without being kept, so memory stays within the limit.
 */
export class LineSplitter {
  readonly #maxBytes: number;
  #number = 1;
  #start: number;
  #parts: Buffer[] = [];
  #size = 0;
  #tooLong = false;

  /** `start` is where in its file the stream begins. */
  constructor(maxBytes: number, start = 0) {
    this.#maxBytes = maxBytes;
    this.#start = start;
  }

  /** Where the line begins that has not ended yet. */
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
    // The chunk's memory is used again; what waits for its line end must not be.
    if (from < chunk.length) this.#take(Buffer.from(chunk.subarray(from)));
  }

  /** The last line, when the file does not end with a line end. */
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
    // Not blocking: a named pipe in the place of a rollout would keep us waiting for ever.
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    if ((await file.stat()).isFile()) return file;
    await file.close();
  } catch (error) {
    const missing = errorCode(error) === "ENOENT";
    const reason = errorText(error);
    const message = missing ? `There is no rollout ${path}` : `Cannot read ${path}: ${reason}`;
    throw new CodexError(missing ? "not_found" : "io", message, { cause: error, data: { path } });
  }
  throw new CodexError("invalid_request", `${path} is not a file`, { data: { path } });
}

/** The bytes of a file between two places; the next ones are read while the last ones are looked at. */
export async function* readAhead(
  file: FileHandle,
  from: number,
  until: number,
): AsyncGenerator<Buffer> {
  const read = (buffer: Buffer, at: number) =>
    file.read(buffer, 0, Math.min(buffer.length, until - at), at);
  const size = Math.min(chunkBytes, Math.max(1, until - from)); // one turn of many is small
  let [current, spare] = [Buffer.allocUnsafe(size), Buffer.allocUnsafe(size)];
  let reading = read(current, from);
  for (let at = from; ; ) {
    const { bytesRead } = await reading;
    if (bytesRead === 0) return;
    at += bytesRead;
    reading = read(spare, at);
    // Who gave up on the file does not wait for what is still being read.
    reading.catch(() => {});
    yield current.subarray(0, bytesRead);
    [current, spare] = [spare, current];
  }
}

const chunkBytes = 512 * 1024;
