import { closeSync, openSync, readFileSync, statSync, writeSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { errorCode } from "./errors.js";
import { unlinkQuietly } from "./files.js";
import { nameSelf, stateOfHolder } from "./lock-holder.js";

/** Time limits for acquiring a lock. */
export interface LockPatience {
  /** Longest wait while the holder stays the same. */
  sameHolderMs: number;
  /** Longest wait in total, while the lock passes from one holder to the next. */
  totalMs: number;
}

/**
 * Runs a function while holding a lock file, so that only one process at a time does.
 *
 * The file names its holder, so that a lock left behind by a killed process is taken over. The file
 * is removed when `run` has ended. Throws if the lock cannot be acquired in time or cannot be
 * created.
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
      throw new Error(`Another process holds the lock; if none is running, delete ${file}`);
    }
    await delay(1 + Math.random() * longestPauseMs);
  }
}

/** Waiting processes retry after a random pause, so that none is starved. */
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

/** Processes of another host cannot be checked: their lock counts as abandoned once it is too old. */
function isAbandoned(file: string, holder: string): boolean {
  const state = stateOfHolder(holder);
  if (state === "running" || state === "gone") return state === "gone";
  return ageMs(file) > (state === "unnamed" ? unnamedAgeMs : foreignAgeMs);
}

/** A holder writes its name right after creating the file; without one, it was killed in between. */
const unnamedAgeMs = 2_000;
const foreignAgeMs = 60_000;

/**
 * Removes a lock whose holder is gone.
 *
 * Several processes may see the dead holder at the same time, and a slow one must not remove the
 * lock that a faster one has acquired since. So only one process at a time may remove it, after a
 * second check.
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
