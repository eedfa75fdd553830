import { open } from "node:fs/promises";
import { historyPath } from "./metadata.js";
import { parseEntry } from "./read-entry.js";

/** How much of the end of the file is looked at: thousands of messages. */
const mostBytes = 1024 * 1024;

/** The messages that were sent last, oldest first; what cannot be read counts as none. */
export async function readRecentHistory(home: string, most: number): Promise<string[]> {
  const file = await open(historyPath(home)).catch(() => undefined);
  if (file === undefined) return [];
  try {
    const { size } = await file.stat();
    const start = Math.max(0, size - mostBytes);
    const bytes = Buffer.alloc(Math.min(size, mostBytes));
    const { bytesRead } = await file.read(bytes, 0, bytes.length, start);
    const lines = bytes.toString("utf8", 0, bytesRead).split("\n");
    // Where the reading began, half a line may lie.
    if (start > 0) lines.shift();
    return lines.slice(-most - 1).flatMap((line) => parseEntry(line)?.text ?? []);
  } finally {
    await file.close();
  }
}
