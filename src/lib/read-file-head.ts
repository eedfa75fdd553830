import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from "node:fs";
import { errorText } from "./error-text.js";

/** The beginning of a file, or why it cannot be had, in words that follow a colon. */
export type FileHead =
  | { bytes: Buffer; whole: boolean; problem?: undefined }
  | { bytes?: undefined; problem: string; missing: boolean };

/**
 * Reads at most `maxBytes` of a file, for small files that others may have made.
 *
 * Folders, pipes and devices are problems, not something to wait for; nothing is thrown. `missing`
 * says that there is nothing of that name, as opposed to something that cannot be read.
 *
 * Reads at once: a session begins with a dozen of these, most of files that are not there, and each
 * takes a tenth of the time that it takes to have it done.
 */
export function readFileHead(path: string, maxBytes: number): FileHead {
  try {
    // An error for each miss would cost more than the look.
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return nothingThere;
    // Not blocking: a named pipe would keep us waiting for a writer that never comes.
    const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      return readHead(file, maxBytes);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    return { problem: errorText(error), missing: isMissing(error) };
  }
}

const nothingThere: FileHead = { problem: "there is no such file", missing: true };

function readHead(file: number, maxBytes: number): FileHead {
  const stats = fstatSync(file);
  if (!stats.isFile()) return { problem: "it is not a file", missing: false };
  const buffer = Buffer.alloc(Math.min(stats.size, maxBytes));
  let filled = 0;
  while (filled < buffer.length) {
    const bytesRead = readSync(file, buffer, filled, buffer.length - filled, filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return { bytes: buffer.subarray(0, filled), whole: stats.size <= maxBytes };
}

/** Also where a folder of the path is a file, there can be nothing of that name. */
function isMissing(error: unknown): boolean {
  if (!(error instanceof Error) || !("code" in error)) return false;
  return error.code === "ENOENT" || error.code === "ENOTDIR";
}
