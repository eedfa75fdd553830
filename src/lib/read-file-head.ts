import { constants } from "node:fs";
import { open } from "node:fs/promises";

/** The beginning of a file, or why it cannot be had, in words that follow a colon. */
export type FileHead =
  | { bytes: Buffer; whole: boolean; problem?: undefined }
  | { bytes?: undefined; problem: string; missing: boolean };

/**
 * Reads at most `maxBytes` of a file, for files that others may have made.
 *
 * Folders, pipes and devices are problems, not something to wait for; nothing is thrown. `missing`
 * says that there is nothing of that name, as opposed to something that cannot be read.
 */
export async function readFileHead(path: string, maxBytes: number): Promise<FileHead> {
  try {
    // Not blocking: a named pipe would keep us waiting for a writer that never comes.
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const stats = await file.stat();
      if (!stats.isFile()) return { problem: "it is not a file", missing: false };
      const buffer = Buffer.alloc(Math.min(stats.size, maxBytes));
      let filled = 0;
      while (filled < buffer.length) {
        const { bytesRead } = await file.read(buffer, filled, buffer.length - filled, filled);
        if (bytesRead === 0) break;
        filled += bytesRead;
      }
      return { bytes: buffer.subarray(0, filled), whole: stats.size <= maxBytes };
    } finally {
      await file.close();
    }
  } catch (error) {
    return { problem: messageOf(error), missing: isMissing(error) };
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Also where a folder of the path is a file, there can be nothing of that name. */
function isMissing(error: unknown): boolean {
  if (!(error instanceof Error) || !("code" in error)) return false;
  return error.code === "ENOENT" || error.code === "ENOTDIR";
}
