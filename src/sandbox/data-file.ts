import { closeSync, openSync, readSync, unlinkSync, writeSync } from "node:fs";
import { join } from "node:path";
import { errorCode } from "./paths.js";

/**
 * Opens a nameless file with this content, read from its beginning by whoever gets the descriptor.
 *
 * The file has a name for a moment, so the directories must be out of reach of running commands: one
 * that changed the filter meant for the next would have got out. Throws when none can be written.
 */
export function openDataFile(content: Uint8Array, directories: readonly string[]): number {
  let problem: unknown = new Error("there is no directory for temporary files");
  for (const directory of directories) {
    try {
      return openNameless(content, directory);
    } catch (error) {
      problem = error;
    }
  }
  throw problem;
}

/** All that was written to such a file. */
export function readDataFile(descriptor: number): string {
  const parts: Buffer[] = [];
  for (let position = 0; ; ) {
    const buffer = Buffer.alloc(readSize);
    const size = readSync(descriptor, buffer, 0, readSize, position);
    if (size === 0) return Buffer.concat(parts).toString("utf8");
    parts.push(buffer.subarray(0, size));
    position += size;
  }
}

/** Closes a descriptor that may have been closed already. */
export function closeQuietly(descriptor: number): void {
  try {
    closeSync(descriptor);
  } catch (error) {
    if (errorCode(error) !== "EBADF") throw error;
  }
}

const readSize = 4096;

function openNameless(content: Uint8Array, directory: string): number {
  const name = `quire-${process.pid}-${Math.random().toString(36).slice(2)}`;
  const path = join(directory, name);
  const descriptor = openSync(path, "wx+", 0o600);
  unlinkSync(path);
  // Written at a place, not at the file's position, which stays at the beginning.
  for (let written = 0; written < content.length; ) {
    written += writeSync(descriptor, content, written, content.length - written, written);
  }
  return descriptor;
}
