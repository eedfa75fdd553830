import { open } from "node:fs/promises";
import { join } from "node:path";

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

/** Looks at the message history without keeping it in memory. */
export async function readHistoryMetadata(home: string): Promise<HistoryMetadata> {
  const file = await open(historyPath(home)).catch(() => undefined);
  if (file === undefined) return { logId: 0, entryCount: 0 };
  try {
    const { ino } = await file.stat();
    const buffer = Buffer.alloc(64 * 1024);
    let entryCount = 0;
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, buffer.length);
      if (bytesRead === 0) return { logId: ino, entryCount };
      entryCount += countNewlines(buffer.subarray(0, bytesRead));
    }
  } finally {
    await file.close();
  }
}

function countNewlines(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(0x0a); at >= 0; at = bytes.indexOf(0x0a, at + 1)) count++;
  return count;
}
