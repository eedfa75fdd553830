import type { HistoryEntry } from "../protocol/types.js";
import { historyPath } from "./metadata.js";
import { type OpenHistory, openHistory } from "./open-history.js";

/** Which entry of the message history is asked for. */
export interface HistoryLookup {
  home: string;
  /** As `readHistoryMetadata` said it: line numbers are those of that very file. */
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

/** Far more than anyone types; a longer line is read over, not into memory. */
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

/** Files written by other programs may say `conversation_id` as the event does. */
/** One line of the file as an entry; nothing when it is none. */
export function parseEntry(line: string): HistoryEntry | undefined {
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
