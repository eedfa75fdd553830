import { closeSync, readFileSync, readSync } from "node:fs";
import type { Duplex } from "node:stream";
import { ReadStream } from "node:tty";

/** The size of a terminal in characters. */
export interface TerminalSize {
  columns: number;
  rows: number;
}

/** Our end of a terminal that a process runs in. */
export interface Terminal {
  /** The descriptor of the other end, for starting a process. */
  inner: number;
  /** The name of the other end. A session leader that opens it gets it as its terminal. */
  name: string;
  /** Output of the process; writing to it is keyboard input. It never ends. */
  outer: Duplex;
  resize(size: TerminalSize): void;
  /**
   * Reads the rest of the output of an ended process, and closes both ends. Both stay open until
   * then: once the inner end is closed everywhere, Node drops all but the first few bytes.
   */
  close(onData: (chunk: Buffer) => void): void;
}

/**
 * Opens a terminal; returns `undefined` if the optional library is missing, fails to load, or was built for another C
 * library. `maps` lists the libraries of this process.
 */
export async function openTerminal(
  size: TerminalSize,
  maps: () => string = readMaps,
): Promise<Terminal | undefined> {
  const native = await loadNative(maps);
  if (native === undefined) return undefined;
  const { master, slave, pty } = native.open(size.columns, size.rows);
  const outer: Duplex = native.stream?.(master) ?? new ReadStream(master);
  return {
    inner: slave,
    name: pty,
    outer,
    resize: ({ columns, rows }) => native.resize(master, columns, rows),
    close(onData) {
      if (!outer.destroyed) readRest(master, onData);
      outer.destroy();
      closeSync(slave);
    },
  };
}

/** More than a terminal buffers; beyond that, some process keeps writing. */
const mostRest = 1024 * 1024;

function readRest(descriptor: number, onData: (chunk: Buffer) => void): void {
  const buffer = Buffer.alloc(64 * 1024);
  for (let total = 0; total < mostRest; ) {
    const size = readNow(descriptor, buffer);
    if (size === 0) return;
    total += size;
    onData(Buffer.from(buffer.subarray(0, size)));
  }
}

/** Reads the available bytes; 0 if there are none, since the descriptor does not block. */
function readNow(descriptor: number, buffer: Buffer): number {
  try {
    return readSync(descriptor, buffer);
  } catch {
    return 0;
  }
}

/** The part of node-pty that is used: it opens terminals, we start processes in them. */
export interface NativePty {
  open(columns: number, rows: number): { master: number; slave: number; pty: string };
  resize(descriptor: number, columns: number, rows: number): void;
  /** Reads and writes a terminal where the stream of the runtime cannot. */
  stream?(descriptor: number): Duplex;
}

async function loadNative(maps: () => string): Promise<NativePty | undefined> {
  try {
    if (process.versions.bun !== undefined) return (await import("./bun-pty.js")).bunPty();
    // npm installs the binary for glibc on Alpine, too. With a compatibility layer it loads, and may crash later.
    if (maps().includes("/ld-musl-")) return undefined;
    const module: { requireBinary(file: string): unknown } = await import(
      // An optional package: bundlers must not look for it.
      /* webpackIgnore: true */
      /* @vite-ignore */
      // @ts-expect-error The package declares no types for this file.
      "@lydell/node-pty/requireBinary.js"
    );
    const native = module.requireBinary("pty.node");
    return isNativePty(native) ? native : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the files that are mapped into this process; empty on systems without a list. */
function readMaps(): string {
  if (process.platform !== "linux") return "";
  try {
    return readFileSync("/proc/self/maps", "latin1");
  } catch {
    return "";
  }
}

function isNativePty(value: unknown): value is NativePty {
  return typeof value === "object" && value !== null && "open" in value && "resize" in value;
}
