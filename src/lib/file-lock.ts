import { closeSync, openSync, readFileSync, statSync, writeSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { errorCode } from "./errors.js";
import { unlinkQuietly } from "./files.js";
import { nameSelf, stateOfHolder } from "./lock-holder.js";

/** How long a lock is waited for. */
export interface LockPatience {
  /** How long one and the same holder may keep it before we give up. */
  sameHolderMs: number;
  /** How long we wait in all while it goes from one holder to the next. */
  totalMs: number;
}

/**
 * Runs something while no other process does so under the same lock file.
 *
 * The file names its holder, so that one left behind by a killed process is taken over; it is gone
 * when `run` has ended. Throws when the lock cannot be had in time or not be made at all.
 */
export async function withFileLock<T>(
  file: string,
  patience: LockPatience,
  run: () => T | Promise<T>,
): Promise<T> {
  const holder = nameSelf();
  await takeLock(file, holder, patience);
  try {
    return await run();
  } finally {
    if (readHolder(file) === holder) unlinkQuietly(file);
  }
}

async function takeLock(file: string, holder: string, patience: LockPatience): Promise<void> {
  const began = performance.now();
  let seen: string | undefined;
  let seenSince = began;
  while (!tryLock(file, holder)) {
    const other = readHolder(file);
    const now = performance.now();
    if (other !== seen) seenSince = now;
    seen = other;
    if (other !== undefined && isAbandoned(file, other)) removeAbandoned(file);
    else if (now - seenSince > patience.sameHolderMs || now - began > patience.totalMs) {
      throw new Error(`Another program is using it; if none is, delete ${file}`);
    }
    await delay(1 + Math.random() * longestPauseMs);
  }
}

/** Of those that wait, each looks again after a time of its own, so that none is always last. */
const longestPauseMs = 6;

function tryLock(file: string, holder: string): boolean {
  let descriptor: number;
  try {
    descriptor = openSync(file, "wx", 0o600);
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    throw error;
  }
  try {
    writeSync(descriptor, holder);
  } catch (error) {
    unlinkQuietly(file);
    throw error;
  } finally {
    closeSync(descriptor);
  }
  return true;
}

function readHolder(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** Another machine's processes cannot be looked at: what is too old for a lock counts as left behind. */
function isAbandoned(file: string, holder: string): boolean {
  const state = stateOfHolder(holder);
  if (state === "running" || state === "gone") return state === "gone";
  return ageMs(file) > (state === "unnamed" ? unnamedAgeMs : foreignAgeMs);
}

/** A holder writes its name at once; a file without one is of a process that was killed in between. */
const unnamedAgeMs = 2_000;
const foreignAgeMs = 60_000;

/**
 * Removes a lock whose holder is gone.
 *
 * Several may see the dead holder at once, and a slow one must not remove the lock that a quicker one
 * has taken since. So only one at a time may remove, and it looks again before it does.
 */
function removeAbandoned(file: string): void {
  const removing = `${file}.removing`;
  try {
    closeSync(openSync(removing, "wx", 0o600));
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
    if (ageMs(removing) > unnamedAgeMs) unlinkQuietly(removing);
    return;
  }
  try {
    const holder = readHolder(file);
    if (holder !== undefined && isAbandoned(file, holder)) unlinkQuietly(file);
  } finally {
    unlinkQuietly(removing);
  }
}

function ageMs(file: string): number {
  try {
    return Date.now() - statSync(file).mtimeMs;
  } catch {
    return 0;
  }
}
