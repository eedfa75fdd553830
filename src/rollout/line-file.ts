import {
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";

/** How the writing of lines stands. */
export interface WriteState {
  /** Why lines wait; absent when all are in the file. */
  failure: Error | undefined;
  /** How many lines had to be given up because too much was waiting. */
  lost: number;
}

/**
 * A file that lines are added to, one whole line after the other.
 *
 * Lines are handed to the system before `write` returns. When the system refuses them they wait in
 * memory, up to a limit, and go first at the next write. A file that does not end with a line end is
 * given one before anything is added, so that a torn line spoils no other.
 */
export class LineFile {
  readonly #path: string;
  readonly #create: boolean;
  readonly #maxWaiting: number;
  #fd: number | undefined;
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #lost = 0;

  constructor(path: string, options: { create: boolean; maxWaitingBytes?: number }) {
    this.#path = path;
    this.#create = options.create;
    this.#maxWaiting = options.maxWaitingBytes ?? 64 * 1024 * 1024;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /** Adds lines, each with its line end; never throws. */
  write(lines: readonly Buffer[]): WriteState {
    for (const line of lines) {
      this.#waiting.push(line);
      this.#waitingBytes += line.length;
    }
    const failure = this.#flush();
    if (failure !== undefined) this.#giveUpNewest();
    return { failure, lost: this.#lost };
  }

  /** Tries for the last time to write what waits, and closes the file. */
  close(): WriteState {
    const failure = this.#waiting.length > 0 ? this.#flush() : undefined;
    this.#closeFile();
    return { failure, lost: this.#lost };
  }

  #flush(): Error | undefined {
    let written = 0;
    try {
      this.#fd ??= this.#open();
      for (const line of this.#waiting) {
        writeWhole(this.#fd, line);
        written++;
        this.#waitingBytes -= line.length;
      }
      return undefined;
    } catch (error) {
      // The next attempt opens the file anew: the disk may have been mounted again.
      this.#closeFile();
      return error instanceof Error ? error : new Error(String(error));
    } finally {
      this.#waiting = written === this.#waiting.length ? [] : this.#waiting.slice(written);
    }
  }

  /** What is kept of a conversation is better its beginning than pieces of it. */
  #giveUpNewest(): void {
    while (this.#waitingBytes > this.#maxWaiting) {
      this.#waitingBytes -= this.#waiting.pop()?.length ?? 0;
      this.#lost++;
    }
  }

  #open(): number {
    const { O_RDWR, O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = constants;
    if (this.#create) mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
    const flags = O_RDWR | O_APPEND | (O_NOFOLLOW ?? 0) | (O_NONBLOCK ?? 0);
    const fd = openSync(this.#path, flags | (this.#create ? O_CREAT : 0), 0o600);
    try {
      endLastLine(fd);
      return fd;
    } catch (error) {
      closeSync(fd);
      throw error;
    }
  }

  #closeFile(): void {
    const fd = this.#fd;
    this.#fd = undefined;
    if (fd === undefined) return;
    try {
      closeSync(fd);
    } catch {
      // Some file systems tell late that a write failed; there is nothing left to try.
    }
  }
}

function endLastLine(fd: number): void {
  const stats = fstatSync(fd);
  if (!stats.isFile()) throw new Error("it is not a file");
  const last = Buffer.alloc(1);
  if (stats.size === 0 || readSync(fd, last, 0, 1, stats.size - 1) === 0) return;
  if (last[0] !== 0x0a) writeWhole(fd, Buffer.from("\n"));
}

/** A disk that is nearly full may take a part of a line; that part is taken back. */
function writeWhole(fd: number, bytes: Buffer): void {
  let written = 0;
  try {
    while (written < bytes.length) written += writeSync(fd, bytes, written);
  } catch (error) {
    if (written > 0) takeBack(fd, written);
    throw error;
  }
}

function takeBack(fd: number, bytes: number): void {
  try {
    ftruncateSync(fd, fstatSync(fd).size - bytes);
  } catch {
    // Then the line stays torn, and the next opening ends it.
  }
}
