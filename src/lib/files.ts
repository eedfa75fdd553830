import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
  realpathSync,
  statSync,
  unlinkSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { errorText } from "./errors.js";

/** The beginning of a file, or why it cannot be had, in words that follow a colon. */
type FileHead =
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

// Looks are synchronous: that takes less than to have them done, and so much less than an error
// for each miss.

/** The folder itself, then the one it is in, and so on to the top. */
export function* foldersUp(folder: string): Generator<string> {
  for (let at = folder; ; at = dirname(at)) {
    yield at;
    if (at === dirname(at)) return;
  }
}

/** The folders from the top of the project around `folder` down to it; only itself outside of one. */
export function projectFolders(folder: string, markers: readonly string[]): string[] {
  return foldersSinceMarker(folder, markers) ?? [folder];
}

/** The folders from the nearest one that has any of `markers` down to `folder`; nothing without one. */
export function foldersSinceMarker(
  folder: string,
  markers: readonly string[],
): string[] | undefined {
  return foldersSince(folder, (at) => markers.some((name) => hasMarker(at, name)));
}

/** The folders from the nearest one that `isTop` takes down to `folder`; nothing without one. */
export function foldersSince(
  folder: string,
  isTop: (folder: string) => boolean,
): string[] | undefined {
  const passed: string[] = [];
  for (const at of foldersUp(folder)) {
    passed.unshift(at);
    if (isTop(at)) return passed;
  }
  return undefined;
}

/**
 * Whether a folder has something by which the top of a project is known.
 *
 * A folder `.git` must be a repository's: a sandbox that was killed can leave an empty one behind,
 * and all below it would be one project. A file `.git` belongs to a linked work tree.
 */
export function hasMarker(folder: string, name: string): boolean {
  const path = join(folder, name);
  if (name === "" || !existsSync(path)) return false;
  if (name !== ".git" || existsSync(join(path, "HEAD"))) return true;
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === false;
}

/** The path without links, or as it is when there is nothing. */
export function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}

/** Removes a file; one that is gone already is what was wanted. */
export function unlinkQuietly(file: string): void {
  try {
    unlinkSync(file);
  } catch {
    // Never made, or taken away by someone else.
  }
}
