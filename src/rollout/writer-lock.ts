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

/** Says that this process alone writes a conversation, until it is released or the process ends. */
export interface WriterLock {
  release(): void;
}

/** The lock of a conversation; kept apart from the rollouts, whose folders others search by id. */
export function writerLockPath(home: string, id: string): string {
  return join(home, "quire-locks", `${id}.lock`);
}

/**
 * Takes the lock of a conversation, also from a process that is gone.
 *
 * Throws `invalid_request` when another one has it, naming that process, and the system's own error
 * when no lock can be made there at all.
 */
export function takeWriterLock(path: string): WriterLock {
  const self = nameSelf();
  for (let attempt = 0; attempt < 10; attempt++) {
    if (tryTake(path, self)) return { release: () => release(path, self) };
    const holder = readHolder(path);
    if (holder === undefined) continue;
    if (isHeld(path, holder)) throw heldBy(holder, path);
    removeAbandoned(path, holder);
  }
  throw heldBy(readHolder(path) ?? "", path);
}

/** The process that writes a conversation now, in words; nothing when none does. */
export function writerOf(path: string): string | undefined {
  const holder = readHolder(path);
  return holder === undefined || !isHeld(path, holder) ? undefined : describe(holder);
}

/**
 * The name is in the file from its first moment on: it is written beside and then linked. False when
 * someone has the lock; also when there was no folder for it, which there is then.
 */
function tryTake(path: string, self: string): boolean {
  const draft = `${path}.${randomUuid()}`;
  try {
    writeFileSync(draft, self, { flag: "wx", mode: 0o600 });
    linkSync(draft, path);
    return true;
  } catch (error) {
    const code = errorCode(error);
    // Nobody had a lock yet, or whoever released the last one has just removed the folder.
    if (code === "ENOENT") mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    else if (code !== "EEXIST") throw error;
    return false;
  } finally {
    unlinkQuietly(draft);
  }
}

/** Several may see the dead holder at once; who is slow must not remove the lock of who was quick. */
function removeAbandoned(path: string, holder: string): void {
  const grave = `${path}.${randomUuid()}`;
  try {
    renameSync(path, grave);
  } catch {
    return;
  }
  try {
    if (readFileSync(grave, "utf8") !== holder) linkSync(grave, path);
  } catch {
    // A third one has taken the lock meanwhile; there is nothing to give back.
  } finally {
    unlinkSync(grave);
  }
}

function release(path: string, self: string): void {
  try {
    if (readHolder(path) === self) unlinkSync(path);
    rmdirSync(dirname(path));
  } catch {
    // There are other locks; or it stays, and is seen as abandoned once this process is gone.
  }
}

function readHolder(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

/** Processes of another machine cannot be looked at, so their locks count for half a day. */
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
    `The conversation is being written by ${describe(holder)}; end it there first ` +
    `(if it runs no more, delete ${path})`;
  return new CodexError("invalid_request", message, {
    data: { pid: readHolderName(holder).pid, lock: path },
  });
}
