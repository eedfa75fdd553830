import { closeSync, writeSync } from "node:fs";
import { Duplex } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { NativePty } from "./pty.js";

/** The part of `bun:ffi` that is used. */
interface Ffi {
  dlopen(
    library: string,
    symbols: Record<string, { args: readonly string[]; returns: string }>,
  ): { symbols: Record<string, (...args: unknown[]) => number> };
}

/**
 * Opens terminals in the single-file executable, by the C library of the system.
 *
 * The binary of node-pty would have to be unpacked to the directory for temporary files first, which
 * sandboxed commands may write: they could replace code that runs outside of the sandbox. Returns
 * `undefined` if there is no such library.
 */
export async function bunPty(): Promise<NativePty | undefined> {
  if (process.platform !== "linux") return undefined;
  // Only Bun has it: neither TypeScript nor bundlers may look for it.
  const ffi = "bun:ffi";
  const { dlopen } = (await import(/* webpackIgnore: true */ /* @vite-ignore */ ffi)) as Ffi;
  const library = openLibrary(dlopen);
  if (library === undefined) return undefined;
  const { openpty, ioctl, fcntl } = library;
  return {
    open(columns, rows) {
      const ends = new Int32Array(2);
      const name = Buffer.alloc(256);
      const size = sizeOf(columns, rows);
      const failed = openpty?.(ends.subarray(0, 1), ends.subarray(1), name, null, size);
      if (failed !== 0) throw new Error("openpty failed");
      const [master = -1, slave = -1] = ends;
      for (const end of ends) fcntl?.(end, setDescriptorFlags, closeOnExec);
      fcntl?.(master, setStatusFlags, nonBlocking);
      return { master, slave, pty: name.toString("utf8", 0, name.indexOf(0)) };
    },
    resize(descriptor, columns, rows) {
      ioctl?.(descriptor, setWindowSize, sizeOf(columns, rows));
    },
    stream: (descriptor) => new TerminalStream(descriptor),
  };
}

/** Constants of Linux: F_SETFD, FD_CLOEXEC, F_SETFL, O_NONBLOCK with O_RDWR, TIOCSWINSZ. */
const setDescriptorFlags = 2;
const closeOnExec = 1;
const setStatusFlags = 4;
const nonBlocking = 0o4002;
const setWindowSize = 0x5414;

function openLibrary(dlopen: Ffi["dlopen"]) {
  for (const name of ["libc.so.6", "libutil.so.1", `libc.musl-${machine()}.so.1`]) {
    try {
      return dlopen(name, {
        openpty: { args: ["ptr", "ptr", "ptr", "ptr", "ptr"], returns: "i32" },
        ioctl: { args: ["i32", "u64", "ptr"], returns: "i32" },
        fcntl: { args: ["i32", "i32", "i32"], returns: "i32" },
      }).symbols;
    } catch {
      // Older systems have `openpty` in the second library; the third is that of musl.
    }
  }
  return undefined;
}

function machine(): string {
  return process.arch === "arm64" ? "aarch64" : "x86_64";
}

/** The `struct winsize`: rows, columns, and the size in pixels, which is unknown. */
function sizeOf(columns: number, rows: number): Uint16Array {
  return Uint16Array.of(rows, columns, 0, 0);
}

/** Our end of a terminal; Bun's own stream for terminals takes "no data yet" for an error. */
class TerminalStream extends Duplex {
  readonly #descriptor: number;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;

  constructor(descriptor: number) {
    super({ allowHalfOpen: true });
    this.#descriptor = descriptor;
    const { Bun } = globalThis as unknown as BunGlobal;
    this.#reader = Bun.file(descriptor).stream().getReader();
  }

  override _read(): void {
    this.#reader.read().then(
      ({ value }) => this.push(value === undefined ? null : Buffer.from(value)),
      () => this.push(null), // the other end is closed everywhere
    );
  }

  override _write(chunk: Buffer, _: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#writeAll(chunk).then(() => done(), done);
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#reader
      .cancel()
      .catch(() => {})
      .finally(() => {
        try {
          closeSync(this.#descriptor);
        } catch {
          // Bun has closed it.
        }
        done(error);
      });
  }

  /** Waits while the process does not read what was typed; nothing reports that it does again. */
  async #writeAll(chunk: Buffer): Promise<void> {
    for (let at = 0; at < chunk.length && !this.destroyed; ) {
      try {
        at += writeSync(this.#descriptor, chunk, at);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error;
        await sleep(retryMs);
      }
    }
  }
}

const retryMs = 10;

interface BunGlobal {
  Bun: { file(descriptor: number): { stream(): ReadableStream<Uint8Array> } };
}
