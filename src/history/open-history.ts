import { constants } from "node:fs";
import { open } from "node:fs/promises";

/** A message history file that is open for reading; close it. */
export interface OpenHistory {
  /** The file's inode: it names the file until lines are dropped from it. */
  logId: number;
  /** Its bytes in order; the buffer is used again for the next ones. */
  chunks(): AsyncGenerator<Buffer>;
  close(): Promise<void>;
}

/** Opens the message history for reading; nothing when there is none that can be read. */
export async function openHistory(path: string): Promise<OpenHistory | undefined> {
  // Not blocking: a named pipe would keep us waiting for a writer that never comes.
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
