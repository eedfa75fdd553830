import { constants, existsSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import type { HistoryEntry } from "../protocol/types.js";

/** Lookup of an entry of the message history. */
export interface HistoryLookup {
  home: string;
  /** Id from `readHistoryMetadata`: line numbers are valid for that file only. */
  logId: number;
  /** The number of the line, counted from 0. */
  offset: number;
}

/**
 * Reads one entry of the message history.
 *
 * Nothing when the file is another one by now, has no such line, or the line is no entry.
 */
export async function readHistoryEntry(lookup: HistoryLookup): Promise<HistoryEntry | undefined> {
  const history = await openHistory(historyPath(lookup.home));
  if (history === undefined) return undefined;
  try {
    if (history.logId !== lookup.logId) return undefined;
    const line = await readLine(history, lookup.offset);
    return line === undefined ? undefined : parseEntry(line);
  } finally {
    await history.close();
  }
}

/** Longer than any typed message; longer lines are skipped. */
const maxLineBytes = 16 * 1024 * 1024;

async function readLine(history: OpenHistory, wanted: number): Promise<string | undefined> {
  const parts: Buffer[] = [];
  let size = 0;
  let line = 0;
  for await (const bytes of history.chunks()) {
    let start = 0;
    for (; line < wanted; line++) {
      const end = bytes.indexOf(0x0a, start);
      if (end < 0) break;
      start = end + 1;
    }
    if (line < wanted) continue;
    const end = bytes.indexOf(0x0a, start);
    const part = bytes.subarray(start, end < 0 ? bytes.length : end);
    size += part.length;
    if (size > maxLineBytes) return undefined;
    parts.push(Buffer.from(part)); // the bytes are overwritten by the next chunk
    if (end >= 0) break;
  }
  return size === 0 ? undefined : Buffer.concat(parts).toString();
}

/** Files of other programs may use `conversation_id`, like the event. */
/** One line of the file as an entry; nothing when it is none. */
function parseEntry(line: string): HistoryEntry | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (typeof value !== "object" || value === null) return undefined;
  const { session_id, conversation_id, ts, text } = value as Record<string, unknown>;
  const id = session_id ?? conversation_id;
  if (typeof id !== "string" || typeof text !== "string" || !Number.isSafeInteger(ts)) {
    return undefined;
  }
  return { conversation_id: id, ts: ts as number, text };
}

/** Id of the message history file and its number of entries. */
export interface HistoryMetadata {
  /** The file's inode, by which an entry can be asked for; 0 when there is no file. */
  logId: number;
  entryCount: number;
}

/** Path of the message history. */
export function historyPath(home: string): string {
  return join(home, "history.jsonl");
}

/** Counts the entries of the message history without loading it; an unreadable file counts as empty. */
export async function readHistoryMetadata(home: string): Promise<HistoryMetadata> {
  const path = historyPath(home);
  const history = existsSync(path) ? await openHistory(path) : undefined;
  if (history === undefined) return { logId: 0, entryCount: 0 };
  try {
    let entryCount = 0;
    for await (const bytes of history.chunks()) entryCount += countNewlines(bytes);
    return { logId: history.logId, entryCount };
  } finally {
    await history.close();
  }
}

function countNewlines(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(0x0a); at >= 0; at = bytes.indexOf(0x0a, at + 1)) count++;
  return count;
}

/** A message history file that is open for reading; close it. */
interface OpenHistory {
  /** The file's inode: it names the file until lines are dropped from it. */
  logId: number;
  /** Its bytes in order; the buffer is used again for the next ones. */
  chunks(): AsyncGenerator<Buffer>;
  close(): Promise<void>;
}

/** Opens the message history for reading; nothing when there is none that can be read. */
async function openHistory(path: string): Promise<OpenHistory | undefined> {
  // Non-blocking: opening a named pipe would wait for a writer.
  const flags = constants.O_RDONLY | constants.O_NONBLOCK;
  const file = await open(path, flags).catch(() => undefined);
  if (file === undefined) return undefined;
  const stats = await file.stat();
  if (!stats.isFile()) {
    await file.close();
    return undefined;
  }
  return {
    logId: stats.ino,
    async *chunks() {
      const buffer = Buffer.alloc(64 * 1024);
      for (;;) {
        const { bytesRead } = await file.read(buffer, 0, buffer.length);
        if (bytesRead === 0) return;
        yield buffer.subarray(0, bytesRead);
      }
    },
    close: () => file.close(),
  };
}

/** Number of bytes to read from the end of the file: thousands of messages. */
const mostBytes = 1024 * 1024;

/** Returns the most recent messages, oldest first; none if the file is unreadable. */
export async function readRecentHistory(home: string, most: number): Promise<string[]> {
  const file = await open(historyPath(home)).catch(() => undefined);
  if (file === undefined) return [];
  try {
    const { size } = await file.stat();
    const start = Math.max(0, size - mostBytes);
    const bytes = Buffer.alloc(Math.min(size, mostBytes));
    const { bytesRead } = await file.read(bytes, 0, bytes.length, start);
    const lines = bytes.toString("utf8", 0, bytesRead).split("\n");
    // The first line may be incomplete.
    if (start > 0) lines.shift();
    return lines.slice(-most - 1).flatMap((line) => parseEntry(line)?.text ?? []);
  } finally {
    await file.close();
  }
}
