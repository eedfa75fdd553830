import { closeSync, openSync, readFileSync, renameSync, unlinkSync, writeSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { errorCode } from "./paths.js";
import { identityOf, isRunning, type ProcessIdentity } from "./process-identity.js";

/**
 * Runs something short while no other process does so under the same file.
 *
 * The file names its holder, so that one left behind by a killed process is taken over. `run` is not
 * asynchronous on purpose: a lock is held for as long as a few system calls take.
 */
export async function withLock<T>(file: string, run: () => T): Promise<T> {
  const self = identityOf(process.pid);
  for (let attempt = 0; !tryLock(file, self); attempt++) {
    if (attempt >= attempts)
      throw new Error(`${file} has been held by another process for too long`);
    removeIfAbandoned(file);
    await delay(1 + Math.random() * Math.min(attempt, longestPause));
  }
  try {
    return run();
  } finally {
    unlinkQuietly(file);
  }
}

const attempts = 500;
const longestPause = 10;

function tryLock(file: string, self: ProcessIdentity | undefined): boolean {
  let descriptor: number;
  try {
    descriptor = openSync(file, "wx", 0o600);
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    throw error;
  }
  try {
    writeSync(descriptor, `${process.pid} ${self?.startTime ?? ""}`);
  } finally {
    closeSync(descriptor);
  }
  return true;
}

function removeIfAbandoned(file: string): void {
  const holder = readHolder(file);
  if (holder === undefined || isRunning(holder)) return;
  // Moved away first: of several that see a dead holder only one then removes this file.
  const aside = `${file}.${process.pid}.${Math.random().toString(36).slice(2)}`;
  try {
    renameSync(file, aside);
  } catch {
    return;
  }
  const moved = readHolder(aside);
  if (moved !== undefined && isRunning(moved)) restore(aside, file);
  else unlinkQuietly(aside);
}

/** Another one was quicker: what was moved away is its fresh lock. */
function restore(aside: string, file: string): void {
  try {
    renameSync(aside, file);
  } catch {
    unlinkQuietly(aside);
  }
}

function readHolder(file: string): ProcessIdentity | undefined {
  try {
    const [pid, startTime] = readFileSync(file, "latin1").split(" ");
    if (!pid || !startTime) return undefined;
    return { pid: Number(pid), startTime };
  } catch {
    return undefined;
  }
}

function unlinkQuietly(file: string): void {
  try {
    unlinkSync(file);
  } catch {
    // Taken away by someone else, which is what was wanted.
  }
}
