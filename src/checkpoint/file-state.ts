import { isUtf8 } from "node:buffer";
import { constants, lstatSync, type Stats } from "node:fs";
import { type FileHandle, lstat, open, readlink } from "node:fs/promises";
import { errorCode } from "../lib/errors.js";
import type { BlobStore } from "./blob-store.js";

/** State of a path: contents by their hash, and permission bits. */
export type FileState =
  | { kind: "file"; mode: number; hash: string; size: number }
  | { kind: "link"; target: string }
  | { kind: "folder"; mode: number };

/** Reason why the state of a path cannot be stored or restored. */
export type Unsaved =
  | "too-large"
  | "unreadable"
  | "special"
  | "not-stored"
  | "not-text"
  | "outside";

/** Result of {@link readState}; `state` is undefined if nothing is there. */
export type StateResult = { state: FileState | undefined } | { unsaved: Unsaved };

/** Largest file that is stored. */
export const largestFile = 64 * 1024 * 1024;

/** Returns true if two states are the same; undefined is a path without a file. */
export function isSameState(one: FileState | undefined, other: FileState | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  if (one.kind === "link") return other.kind === "link" && one.target === other.target;
  if (one.kind === "folder") return other.kind === "folder" && one.mode === other.mode;
  return other.kind === "file" && one.mode === other.mode && one.hash === other.hash;
}

/**
 * Reads the state of a path and stores the contents of a file. Links are not followed.
 *
 * Never blocks on a pipe or device. `maxBytes` limits the size of a file.
 */
export async function readState(
  path: string,
  store: BlobStore,
  maxBytes = largestFile,
): Promise<StateResult> {
  try {
    const stats = await lstat(path);
    if (stats.isSymbolicLink()) return linkState(await readlink(path, { encoding: "buffer" }));
    if (stats.isDirectory()) return { state: { kind: "folder", mode: stats.mode & permissions } };
    if (!stats.isFile()) return { unsaved: "special" };
    if (stats.size > maxBytes) return { unsaved: "too-large" };
    return await readContents(path, store, maxBytes);
  } catch (error) {
    if (isMissing(error)) return { state: undefined };
    return { unsaved: "unreadable" };
  }
}

/** Returns the state of a link by the bytes of its target. */
export function linkState(target: Buffer): { state: FileState } | { unsaved: Unsaved } {
  if (!isUtf8(target)) return { unsaved: "not-text" };
  return { state: { kind: "link", target: target.toString() } };
}

async function readContents(
  path: string,
  store: BlobStore,
  maxBytes: number,
): Promise<StateResult> {
  const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW } = constants;
  const file = await open(path, O_RDONLY | (O_NONBLOCK ?? 0) | (O_NOFOLLOW ?? 0));
  try {
    const stats = await file.stat();
    if (!stats.isFile()) return { unsaved: "special" };
    if (stats.size > maxBytes) return { unsaved: "too-large" };
    const bytes = await readAll(file, stats.size);
    const hash = store.put(bytes);
    return { state: { kind: "file", mode: stats.mode & permissions, hash, size: bytes.length } };
  } finally {
    await file.close();
  }
}

/** The file may grow meanwhile; what was there at the time of the stat is read. */
async function readAll(file: FileHandle, size: number): Promise<Buffer> {
  const buffer = Buffer.alloc(size);
  let filled = 0;
  while (filled < size) {
    const { bytesRead } = await file.read(buffer, filled, size - filled, filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}

/** Reads the metadata of a path, without following a link at its end; undefined if nothing can be seen there. */
export function statOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined; // below a file, or in a folder that is not readable
  }
}

/** Permission bits of a mode. */
export const permissions = 0o7777;

/** A path below a file does not exist either. */
export function isMissing(error: unknown): boolean {
  const code = errorCode(error);
  return code === "ENOENT" || code === "ENOTDIR";
}
