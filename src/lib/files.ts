import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  realpathSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { errorCode, errorText } from "./errors.js";

/** The beginning of a file, or the reason it cannot be read, worded to follow a colon. */
type FileHead =
  | { bytes: Buffer; whole: boolean; problem?: undefined }
  | { bytes?: undefined; problem: string; missing: boolean };

/**
 * Reads at most `maxBytes` of a file, for small files that other programs may have written.
 *
 * Never throws and never blocks: directories, pipes and devices are problems. `missing` is true if
 * the file does not exist, as opposed to one that cannot be read.
 *
 * Synchronous: a session starts with a dozen of these reads, most of them for missing files, and an
 * asynchronous read takes ten times as long.
 */
export function readFileHead(path: string, maxBytes: number, mayRead?: MayRead): FileHead {
  try {
    // A stat of a missing file is cheaper than an exception.
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return nothingThere;
    // Non-blocking: opening a named pipe would otherwise wait for a writer.
    const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      if (mayRead?.(path, file) === false) return refused;
      return readHead(file, maxBytes);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    return { problem: errorText(error), missing: isMissing(error) };
  }
}

/** Returns true if an open file may be read. */
export type MayRead = (path: string, descriptor: number) => boolean;

const refused: FileHead = { problem: "Permission denied (os error 13)", missing: false };

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

/** `ENOTDIR`: a parent of the path is a file, so the path does not exist either. */
function isMissing(error: unknown): boolean {
  if (!(error instanceof Error) || !("code" in error)) return false;
  return error.code === "ENOENT" || error.code === "ENOTDIR";
}

// Lookups are synchronous: that is faster than asynchronous calls, and than an exception for each
// miss.

/** Yields a folder and its parents, up to the root. */
export function* foldersUp(folder: string): Generator<string> {
  for (let at = folder; ; at = dirname(at)) {
    yield at;
    if (at === dirname(at)) return;
  }
}

/** Returns the folders from the root of the project down to `folder`; only `folder` outside a project. */
export function projectFolders(folder: string, markers: readonly string[]): string[] {
  return foldersSinceMarker(folder, markers) ?? [folder];
}

/** Returns the folders from the nearest one with any of `markers` down to `folder`, or `undefined`. */
export function foldersSinceMarker(
  folder: string,
  markers: readonly string[],
): string[] | undefined {
  return foldersSince(folder, (at) => markers.some((name) => hasMarker(at, name)));
}

/** Returns the folders from the nearest one that `isTop` accepts down to `folder`, or `undefined`. */
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
 * Returns true if a folder contains a project root marker.
 *
 * A `.git` folder must be a repository: a killed sandbox can leave an empty one behind, which would
 * turn everything below into one project. A `.git` file belongs to a linked work tree.
 */
export function hasMarker(folder: string, name: string): boolean {
  const path = join(folder, name);
  if (name === "" || !existsSync(path)) return false;
  if (name !== ".git" || existsSync(join(path, "HEAD"))) return true;
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === false;
}

/** Resolves all symbolic links of a path; returns the path itself if it does not exist. */
export function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}

/** Removes a file if it exists; ignores errors. */
export function unlinkQuietly(file: string): void {
  try {
    unlinkSync(file);
  } catch {
    // Never created, or already removed.
  }
}

/** Creates a file that must not exist yet, in a folder that may be missing. */
export function createNew(file: string, content: string): "made" | "exists" | "no folder" {
  try {
    writeFileSync(file, content, { flag: "wx", mode: 0o600 });
    return "made";
  } catch (error) {
    const code = errorCode(error);
    if (code === "EEXIST") return "exists";
    if (code === "ENOENT") return "no folder";
    throw error;
  }
}

/** Returns the names in a folder; none if it cannot be read. */
export function namesIn(folder: string): string[] {
  return errorless(() => readdirSync(folder)) ?? [];
}

/** Returns the content of a file; empty if it cannot be read. */
export function readQuietly(file: string): string {
  return errorless(() => readFileSync(file, "utf8")) ?? "";
}

/** Returns the result of an action; undefined if it throws. */
export function errorless<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
