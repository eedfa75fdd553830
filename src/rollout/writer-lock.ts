import {
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { errorCode } from "../lib/errors.js";
import { unlinkQuietly } from "../lib/files.js";
import { randomUuid } from "../lib/ids.js";
import { nameSelf, readHolderName, stateOfHolder } from "../lib/lock-holder.js";
import { CodexError } from "../protocol/error.js";

/** Exclusive right to write a conversation, until released or the process exits. */
export interface WriterLock {
  release(): void;
}

/**
 * Returns the lock path of a conversation. It is outside `sessions`, which other programs search by
 * id.
 */
export function writerLockPath(home: string, id: string): string {
  return join(home, "quire-locks", `${id}.lock`);
}

/**
 * Acquires the lock of a conversation, also from a process that has exited.
 *
 * Throws `invalid_request` naming the holder if another process has it, and the system's error if
 * no lock can be created.
 */
export function takeWriterLock(path: string): WriterLock {
  const self = recentLock?.self ?? nameSelf();
  for (let attempt = 0; attempt < 10; attempt++) {
    if (tryTake(path, self)) return heldLock(path, self);
    const holder = readHolder(path);
    if (holder === undefined) continue;
    if (isHeld(path, holder)) throw heldBy(holder, path);
    removeAbandoned(path, holder);
  }
  throw heldBy(readHolder(path) ?? "", path);
}

/** Returns a description of the process that is writing a conversation, if any. */
export function writerOf(path: string): string | undefined {
  const holder = readHolder(path);
  return holder === undefined || !isHeld(path, holder) ? undefined : describe(holder);
}

/** A lock that this process has taken; further locks are links to it, which is one call in place of four. */
let recentLock: { path: string; self: string; takenAtMs: number } | undefined;

/** A link has the time of its file, and locks of other hosts expire by it. */
const linkedForMs = 10 * 60 * 1000;

function heldLock(path: string, self: string): WriterLock {
  let isHeld = true;
  return {
    release() {
      if (isHeld) release(path, self);
      isHeld = false;
      if (recentLock?.path === path) recentLock = undefined;
    },
  };
}

/** Takes a lock as a link to the recent one; undefined if there is none, or it cannot be linked. */
function tryLink(path: string): boolean | undefined {
  if (recentLock === undefined || Date.now() - recentLock.takenAtMs > linkedForMs) return undefined;
  if (dirname(recentLock.path) !== dirname(path)) return undefined;
  if (readHolder(recentLock.path) !== recentLock.self) return undefined;
  try {
    linkSync(recentLock.path, path);
    return true;
  } catch (error) {
    return errorCode(error) === "EEXIST" ? false : undefined;
  }
}

/**
 * Writes the holder to a temporary file and links it, so the lock never exists without a holder.
 * Returns false if the lock is held, and after creating a missing folder.
 */
function tryTake(path: string, self: string): boolean {
  const linked = tryLink(path);
  if (linked !== undefined) return linked;
  const draft = `${path}.${randomUuid()}`;
  try {
    writeFileSync(draft, self, { flag: "wx", mode: 0o600 });
    linkSync(draft, path);
    recentLock = { path, self, takenAtMs: Date.now() };
    return true;
  } catch (error) {
    const code = errorCode(error);
    // No lock existed yet, or the last release has just removed the folder.
    if (code === "ENOENT") mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    else if (code !== "EEXIST") throw error;
    return false;
  } finally {
    unlinkQuietly(draft);
  }
}

/** Several processes may find the dead holder at once; a slow one must not remove a newer lock. */
function removeAbandoned(path: string, holder: string): void {
  const removed = `${path}.${randomUuid()}`;
  try {
    renameSync(path, removed);
  } catch {
    return;
  }
  try {
    if (readFileSync(removed, "utf8") !== holder) linkSync(removed, path);
  } catch {
    // A third process has taken the lock; nothing is restored.
  } finally {
    unlinkSync(removed);
  }
}

function release(path: string, self: string): void {
  try {
    if (readHolder(path) === self) unlinkSync(path);
    rmdirSync(dirname(path));
  } catch {
    // Other locks exist; or the file stays and counts as abandoned once this process exits.
  }
}

function readHolder(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

/** Processes on another host cannot be checked, so their locks expire after half a day. */
function isHeld(path: string, holder: string): boolean {
  const state = stateOfHolder(holder);
  if (state !== "elsewhere") return state === "running";
  return Date.now() - mtimeMs(path) < 12 * 60 * 60 * 1000;
}

function mtimeMs(path: string): number {
  try {
    return statSync(path).mtimeMs;
  } catch {
    return 0;
  }
}

function describe(holder: string): string {
  const { pid, host } = readHolderName(holder);
  if (host === undefined) return "another process";
  if (host !== hostname()) return `process ${pid} on ${host}`;
  return pid === process.pid ? "this process" : `process ${pid}`;
}

function heldBy(holder: string, path: string): CodexError {
  const message =
    `The conversation is being written by ${describe(holder)}; close it there first ` +
    `(if that process has exited, delete ${path})`;
  return new CodexError("invalid_request", message, {
    data: { pid: readHolderName(holder).pid, lock: path },
  });
}
