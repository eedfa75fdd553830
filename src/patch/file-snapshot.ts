import { constants } from "node:fs";
import { type FileHandle, lstat, open } from "node:fs/promises";
import type { MayRead } from "../lib/files.js";
import { knownCause, type PatchFailure, systemFailure } from "./failure.js";
import { MAX_FILE_BYTES } from "./limits.js";

/** Mode and owner of a file. */
export interface FileRights {
  /** Permission bits. */
  mode: number;
  uid: number;
  gid: number;
}

/** The state of a file, to detect later whether it changed. */
export interface FileSnapshot extends FileRights {
  /** The contents, if they were read: those of the editor, if it has unsaved ones. */
  bytes: Buffer | undefined;
  /** The contents on disk, if an editor has others. */
  onDisk?: Buffer;
  /** Changes when the file is written, replaced, or its mode changes. */
  stamp: string;
}

/** A snapshot, or the failure. `missing` is set if the file does not exist. */
export type SnapshotResult =
  | { ok: true; file: FileSnapshot }
  | { ok: false; failure: PatchFailure; missing?: true };

/**
 * Reads a file; does not follow symbolic links. Never blocks on a pipe or device, and never reads
 * more than the limit. `context` starts the failure message.
 */
export async function readSnapshot(
  path: string,
  context: string,
  mayRead?: MayRead,
): Promise<SnapshotResult> {
  let handle: FileHandle;
  try {
    handle = await open(path, constants.O_RDONLY | unblocked());
  } catch (error) {
    return systemProblem(error, context);
  }
  try {
    if (mayRead?.(path, handle.fd) === false) {
      return { ok: false, failure: { kind: "io", context, cause: knownCause("EACCES") } };
    }
    const stats = await handle.stat({ bigint: true });
    const problem = notReadable(stats, context);
    if (problem) return { ok: false, failure: problem };
    const bytes = await readAtMost(handle, Number(stats.size), MAX_FILE_BYTES);
    if (!bytes) return { ok: false, failure: tooLarge(context) };
    return { ok: true, file: toSnapshot(stats, bytes) };
  } catch (error) {
    return systemProblem(error, context);
  } finally {
    await handle.close();
  }
}

/** Reads the metadata of a file or symbolic link. */
export async function statSnapshot(path: string, context: string): Promise<SnapshotResult> {
  try {
    const stats = await lstat(path, { bigint: true });
    if (stats.isSymbolicLink()) return { ok: true, file: toSnapshot(stats, undefined) };
    const problem = notAFile(stats, context);
    return problem
      ? { ok: false, failure: problem }
      : { ok: true, file: toSnapshot(stats, undefined) };
  } catch (error) {
    return systemProblem(error, context);
  }
}

/** Identifies a version of a file. */
export function stampOf(stats: BigStats): string {
  return [stats.dev, stats.ino, stats.size, stats.mtimeNs, stats.mode].join(":");
}

/** The fields of `fs.BigIntStats` used here. */
export interface BigStats {
  dev: bigint;
  ino: bigint;
  size: bigint;
  mode: bigint;
  uid: bigint;
  gid: bigint;
  mtimeNs: bigint;
  isFile(): boolean;
  isDirectory(): boolean;
}

function toSnapshot(stats: BigStats, bytes: Buffer | undefined): FileSnapshot {
  return {
    bytes,
    mode: Number(stats.mode) & 0o777,
    uid: Number(stats.uid),
    gid: Number(stats.gid),
    stamp: stampOf(stats),
  };
}

function notReadable(stats: BigStats, context: string): PatchFailure | undefined {
  if (stats.size > MAX_FILE_BYTES) return tooLarge(context);
  return notAFile(stats, context);
}

function notAFile(stats: BigStats, context: string): PatchFailure | undefined {
  if (stats.isDirectory()) return { kind: "io", context, cause: knownCause("EISDIR") };
  return stats.isFile() ? undefined : { kind: "refused", context, reason: "not a regular file" };
}

function tooLarge(context: string): PatchFailure {
  const reason = `the file is larger than ${MAX_FILE_BYTES / 1024 / 1024} MiB`;
  return { kind: "refused", context, reason };
}

/**
 * Reads to the end, because some files report no size; returns undefined if there is more than the
 * limit.
 */
async function readAtMost(
  handle: FileHandle,
  size: number,
  limit: number,
): Promise<Buffer | undefined> {
  const parts: Buffer[] = [];
  let length = 0;
  while (length <= limit) {
    const room = Buffer.allocUnsafe(Math.max(size - length, 0) + 1024);
    const { bytesRead } = await handle.read(room, 0, room.length, null);
    if (bytesRead === 0) return Buffer.concat(parts, length);
    parts.push(room.subarray(0, bytesRead));
    length += bytesRead;
  }
  return undefined;
}

function systemProblem(error: unknown, context: string): SnapshotResult {
  const failure = systemFailure(error, context);
  if (failure.kind === "io" && failure.cause.code === "ENOENT") {
    return { ok: false, failure, missing: true };
  }
  return { ok: false, failure };
}

/** Both flags are undefined on Windows. */
function unblocked(): number {
  return (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);
}
