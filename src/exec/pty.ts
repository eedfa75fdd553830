import { closeSync } from "node:fs";
import { ReadStream } from "node:tty";

/** The size of a terminal in characters. */
export interface TerminalSize {
  columns: number;
  rows: number;
}

/** Our end of a terminal that a process runs in. */
export interface Terminal {
  /** The descriptor of the other end; for starting a process, then to be closed. */
  inner: number;
  /** The name of the other end. A session leader that opens it gets it as its terminal. */
  name: string;
  /** What the process writes; writing to it is typing. Ends, often with EIO, when the process does. */
  outer: ReadStream;
  resize(size: TerminalSize): void;
  closeInner(): void;
}

/** Opens a terminal; nothing where the optional library for it is missing or does not load. */
export async function openTerminal(size: TerminalSize): Promise<Terminal | undefined> {
  const native = await loadNative();
  if (native === undefined) return undefined;
  const { master, slave, pty } = native.open(size.columns, size.rows);
  return {
    inner: slave,
    name: pty,
    outer: new ReadStream(master),
    resize: ({ columns, rows }) => native.resize(master, columns, rows),
    closeInner: () => closeSync(slave),
  };
}

/** The part of node-pty that is used: it opens terminals, we start processes in them. */
interface NativePty {
  open(columns: number, rows: number): { master: number; slave: number; pty: string };
  resize(descriptor: number, columns: number, rows: number): void;
}

async function loadNative(): Promise<NativePty | undefined> {
  try {
    const module: { requireBinary(file: string): unknown } = await import(
      // @ts-expect-error The package declares no types for this file.
      "@lydell/node-pty/requireBinary.js"
    );
    const native = module.requireBinary("pty.node");
    return isNativePty(native) ? native : undefined;
  } catch {
    return undefined;
  }
}

function isNativePty(value: unknown): value is NativePty {
  return typeof value === "object" && value !== null && "open" in value && "resize" in value;
}
