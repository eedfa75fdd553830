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

/** State of a `LineFile` after a write. */
export interface WriteState {
  /** Error of the last write, while lines are queued. */
  failure: Error | undefined;
  /** Number of lines dropped because the queue was full. */
  lost: number;
}

/**
 * Appends complete lines to a file.
 *
 * Lines are passed to the system before `write` returns. If the system rejects them they are queued
 * in memory, up to a limit, and written first next time. If the file does not end with a newline,
 * one is added first, so that a truncated line does not corrupt the next one.
 */
export class LineFile {
  readonly #path: string;
  readonly #create: boolean;
  readonly #maxQueued: number;
  #fd: number | undefined;
  #queued: Buffer[] = [];
  #queuedBytes = 0;
  #lost = 0;

  constructor(path: string, options: { create: boolean; maxQueuedBytes?: number }) {
    this.#path = path;
    this.#create = options.create;
    this.#maxQueued = options.maxQueuedBytes ?? 64 * 1024 * 1024;
  }

  get queued(): number {
    return this.#queued.length;
  }

  /** Appends lines, which include their newline; never throws. */
  write(lines: readonly Buffer[]): WriteState {
    for (const line of lines) {
      this.#queued.push(line);
      this.#queuedBytes += line.length;
    }
    const failure = this.#flush();
    if (failure !== undefined) this.#dropNewest();
    return { failure, lost: this.#lost };
  }

  /** Tries a last time to write the queued lines, then closes the file. */
  close(): WriteState {
    const failure = this.#queued.length > 0 ? this.#flush() : undefined;
    this.#closeFile();
    return { failure, lost: this.#lost };
  }

  #flush(): Error | undefined {
    let written = 0;
    try {
      this.#fd ??= this.#open();
      for (const line of this.#queued) {
        writeWhole(this.#fd, line);
        written++;
        this.#queuedBytes -= line.length;
      }
      return undefined;
    } catch (error) {
      // The next attempt opens the file again: the disk may have been remounted.
      this.#closeFile();
      return error instanceof Error ? error : new Error(String(error));
    } finally {
      this.#queued = written === this.#queued.length ? [] : this.#queued.slice(written);
    }
  }

  /** Drops the newest lines: the start of a conversation is worth more than fragments of it. */
  #dropNewest(): void {
    while (this.#queuedBytes > this.#maxQueued) {
      this.#queuedBytes -= this.#queued.pop()?.length ?? 0;
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
      // Some file systems report a failed write only on close; nothing is left to try.
    }
  }
}

function endLastLine(fd: number): void {
  const stats = fstatSync(fd);
  if (!stats.isFile()) throw new Error("not a regular file");
  const last = Buffer.alloc(1);
  if (stats.size === 0 || readSync(fd, last, 0, 1, stats.size - 1) === 0) return;
  if (last[0] !== 0x0a) writeWhole(fd, Buffer.from("\n"));
}

/** A nearly full disk may accept part of a line; that part is removed. */
function writeWhole(fd: number, bytes: Buffer): void {
  let written = 0;
  try {
    while (written < bytes.length) written += writeSync(fd, bytes, written);
  } catch (error) {
    if (written > 0) undoPartialWrite(fd, written);
    throw error;
  }
}

function undoPartialWrite(fd: number, bytes: number): void {
  try {
    ftruncateSync(fd, fstatSync(fd).size - bytes);
  } catch {
    // The line stays truncated; the next open ends it with a newline.
  }
}
