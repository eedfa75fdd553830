import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { randomUuid } from "../lib/random.js";

/**
 * Drops the oldest lines of a file that has grown beyond `maxBytes`, and the newest never.
 *
 * What stays is moved into place whole, so the file gets a new inode: line numbers of before, which
 * would now name other entries, are not answered any more. The caller holds the file's lock.
 */
export async function dropOldestLines(path: string, maxBytes: number): Promise<void> {
  const file = await open(path, "r");
  try {
    const { size } = await file.stat();
    if (size <= maxBytes) return;
    const start = await firstKept(file, size, maxBytes);
    if (start > 0) await replaceByRest(file, start, path);
  } finally {
    await file.close();
  }
}

/** More is dropped than needed, so that the next entry does not have to drop again. */
const keptShare = 0.8;

/** Where the first line begins with which the rest fits; at the latest where the newest line does. */
async function firstKept(file: FileHandle, size: number, maxBytes: number): Promise<number> {
  const target = Math.max(1, Math.floor(maxBytes * keptShare));
  const buffer = Buffer.alloc(64 * 1024);
  // The newest line ends at the last byte, so a line end found before it is not its own.
  for (let at = Math.max(0, size - target - 1); at < size - 1; ) {
    const wanted = Math.min(buffer.length, size - 1 - at);
    const { bytesRead } = await file.read(buffer, 0, wanted, at);
    if (bytesRead === 0) break;
    const end = buffer.subarray(0, bytesRead).indexOf(0x0a);
    if (end >= 0) return at + end + 1;
    at += bytesRead;
  }
  return lastLineStart(file, size);
}

/** The newest line alone is larger than what should stay. */
async function lastLineStart(file: FileHandle, size: number): Promise<number> {
  const buffer = Buffer.alloc(64 * 1024);
  for (let end = size - 1; end > 0; ) {
    const start = Math.max(0, end - buffer.length);
    const { bytesRead } = await file.read(buffer, 0, end - start, start);
    const found = buffer.subarray(0, bytesRead).lastIndexOf(0x0a);
    if (found >= 0) return start + found + 1;
    end = start;
  }
  return 0;
}

async function replaceByRest(file: FileHandle, start: number, path: string): Promise<void> {
  const draft = `${path}.${randomUuid()}`;
  const rest = await open(draft, "wx", 0o600);
  try {
    const buffer = Buffer.alloc(64 * 1024);
    for (let at = start; ; ) {
      const { bytesRead } = await file.read(buffer, 0, buffer.length, at);
      if (bytesRead === 0) break;
      await rest.writeFile(buffer.subarray(0, bytesRead));
      at += bytesRead;
    }
    await rest.sync();
    await rest.close();
    await rename(draft, path);
  } catch (error) {
    await rest.close().catch(() => undefined);
    await rm(draft, { force: true });
    throw error;
  }
}
