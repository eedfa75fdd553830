import { constants } from "node:fs";
import { type FileHandle, mkdir, open, realpath } from "node:fs/promises";
import { dirname } from "node:path";
import { errorText } from "../lib/error-text.js";
import { withFileLock } from "../lib/file-lock.js";
import { CodexError } from "../protocol/error.js";
import { historyPath } from "./metadata.js";
import { dropOldestLines } from "./trim.js";

/** What of the message history is kept, as the config's `history` table says it. */
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
 * Adds a message to the history that all sessions share.
 *
 * Writers in any number of processes wait for each other, each line is written at once, and the file
 * is for its owner alone. Throws a `CodexError` when the message could not be kept, or old ones not be
 * dropped for it; a line is never left half written.
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
