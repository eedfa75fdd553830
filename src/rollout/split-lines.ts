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
