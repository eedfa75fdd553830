import { constants } from "node:fs";
import { type FileHandle, mkdir, open, realpath, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { errorText } from "../lib/errors.js";
import { withFileLock } from "../lib/file-lock.js";
import { randomUuid } from "../lib/ids.js";
import { CodexError } from "../protocol/error.js";
import { historyPath } from "./read-entry.js";

/** Settings of the message history: the config's `history` table. */
export interface HistorySettings {
  persistence: "save-all" | "none";
  /** The size the file may have; none or 0 sets no limit. */
  maxBytes?: number | undefined;
}

/** A message to be remembered. */
export interface HistoryAddition {
  home: string;
  settings: HistorySettings;
  entry: { conversation_id: string; text: string };
  clock: { now(): number };
}

/**
 * Appends a message to the history shared by all sessions.
 *
 * Writers of all processes wait for each other, a line is written in one call, and only the owner
 * can read the file. Throws a `CodexError` if the message could not be stored or old ones not
 * removed; a line is never written partially.
 */
export async function appendHistory(addition: HistoryAddition): Promise<void> {
  const { home, settings } = addition;
  if (settings.persistence === "none") return;
  const path = historyPath(home);
  const line = toLine(addition);
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await withFileLock(`${path}.lock`, patience, async () => {
      const target = await realpath(path).catch(() => path); // a link stays a link
      await appendLine(target, line);
      if (settings.maxBytes) await dropOldestLines(target, settings.maxBytes);
    });
  } catch (error) {
    const reason = errorText(error);
    throw new CodexError("io", `Could not add to the message history ${path}: ${reason}`, {
      cause: error,
    });
  }
}

/** As patient as ten tries 100 ms apart; a lock that goes from hand to hand is waited for longer. */
const patience = { sameHolderMs: 1_000, totalMs: 30_000 };

function toLine({ entry, clock }: HistoryAddition): Buffer {
  const ts = Math.floor(clock.now() / 1000);
  return Buffer.from(
    `${JSON.stringify({ session_id: entry.conversation_id, ts, text: entry.text })}\n`,
  );
}

async function appendLine(path: string, line: Buffer): Promise<void> {
  const flags = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_NONBLOCK;
  const file = await open(path, flags, 0o600);
  try {
    const stats = await file.stat();
    if (!stats.isFile()) throw new Error("it is not a file");
    if ((stats.mode & 0o777) !== 0o600) await file.chmod(0o600);
    const needsNewline = stats.size > 0 && !(await endsLine(file, stats.size));
    const bytes = needsNewline ? Buffer.concat([newline, line]) : line;
    await writeAtOnce(file, bytes, stats.size);
  } finally {
    await file.close();
  }
}

const newline = Buffer.from("\n");

/** A writer that was killed may have left half a line, which must not swallow the next one. */
async function endsLine(file: FileHandle, size: number): Promise<boolean> {
  const last = Buffer.alloc(1);
  await file.read(last, 0, 1, size - 1);
  return last.equals(newline);
}

/** One call, so that not even a program without our lock gets in between; half a line is taken back. */
async function writeAtOnce(file: FileHandle, bytes: Buffer, sizeBefore: number): Promise<void> {
  const { bytesWritten } = await file.write(bytes);
  if (bytesWritten === bytes.length) return;
  await file.truncate(sizeBefore);
  throw new Error("no space is left for it");
}

/**
 * Removes the oldest lines of a file that exceeds `maxBytes`, but never the newest.
 *
 * The rest is moved into place as a new file with a new inode, so old line numbers, which would now
 * refer to other entries, are no longer valid. The caller holds the file's lock.
 */
async function dropOldestLines(path: string, maxBytes: number): Promise<void> {
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

/** Returns the offset of the first line to retain; at the latest that of the newest line. */
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

/** Used if the newest line alone exceeds the limit. */
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
