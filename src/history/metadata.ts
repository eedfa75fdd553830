import { existsSync } from "node:fs";
import { join } from "node:path";
import { openHistory } from "./open-history.js";

/** Names the message history file and says how many entries it has. */
export interface HistoryMetadata {
  /** The file's inode, by which an entry can be asked for; 0 when there is no file. */
  logId: number;
  entryCount: number;
}

/** Where the messages that the user has typed are kept. */
export function historyPath(home: string): string {
  return join(home, "history.jsonl");
}

/** Looks at the message history without keeping it in memory; what cannot be read counts as none. */
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
