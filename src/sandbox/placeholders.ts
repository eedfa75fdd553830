import { closeSync, mkdirSync, openSync, readdirSync, rmdirSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { withFileLock } from "../lib/file-lock.js";
import { isProcessRunning, processStart } from "../lib/running-process.js";
import { entryAt, errorCode } from "./paths.js";

/** What stands at a path after a placeholder was asked for. */
export type PlaceholderState =
  /** An empty directory of ours; to be given back. */
  | "held"
  /** Something real, which came to be in the meantime. */
  | "real"
  /** Nothing: not even we can make it, so the command cannot either. */
  | "impossible";

/**
 * Holds empty directories in places where a command must not make anything.
 *
 * Nothing can be mounted where nothing is, so a missing `.git` has to exist while commands run. Each
 * holder leaves a file with its identity in the directory, where commands do not see it because
 * something is mounted over it. The last holder removes the directory. In this process holders are
 * counted; between processes a lock file keeps looking and acting together. Holders that were killed
 * are found by their identity and swept away by whoever comes next.
 */
export class Placeholders {
  readonly #lockFile: string | undefined;
  readonly #marker: string;
  readonly #counts = new Map<string, number>();

  /** `lockFile` must be out of reach of the commands; without one only this process is looked after. */
  constructor(lockFile: string | undefined, id: string) {
    this.#lockFile = lockFile;
    this.#marker = `${markerPrefix}${process.pid}-${processStart(process.pid)}-${id}`;
  }

  /** Asks for all paths at once. What is `held` must be given back with `release`. */
  async acquire(paths: readonly string[]): Promise<Map<string, PlaceholderState>> {
    const fresh = paths.filter((path) => !this.#counts.has(path));
    const take = (path: string): [string, PlaceholderState] => [
      path,
      this.#counts.has(path) ? this.#count(path) : this.#make(path),
    ];
    if (fresh.length === 0) return new Map(paths.map(take));
    return this.#locked(() => new Map(paths.map(take)));
  }

  /** Gives back what was held; removes what no one holds any more. */
  async release(paths: readonly string[]): Promise<void> {
    const last = paths.filter((path) => this.#uncount(path));
    if (last.length === 0) return;
    await this.#locked(() => {
      // Someone of this process may have asked again while the lock was waited for.
      for (const path of last) if (!this.#counts.has(path)) removePlaceholder(path, this.#marker);
    });
  }

  /** Removes everything held, without waiting for anyone; for the end of the process. */
  releaseAll(): void {
    for (const path of this.#counts.keys()) removePlaceholder(path, this.#marker);
    this.#counts.clear();
  }

  #locked<T>(run: () => T): Promise<T> | T {
    return this.#lockFile === undefined ? run() : withFileLock(this.#lockFile, patience, run);
  }

  #count(path: string): PlaceholderState {
    this.#counts.set(path, (this.#counts.get(path) ?? 0) + 1);
    return "held";
  }

  #uncount(path: string): boolean {
    const count = this.#counts.get(path) ?? 0;
    if (count > 1) this.#counts.set(path, count - 1);
    else this.#counts.delete(path);
    return count === 1;
  }

  #make(path: string): PlaceholderState {
    if (entryAt(path) !== undefined && !isHeld(path)) return "real";
    try {
      mkdirSync(path, { mode: 0o755 });
    } catch (error) {
      const code = errorCode(error);
      if (code !== undefined && forbidden.has(code)) return "impossible";
      if (code !== "EEXIST") throw error;
    }
    return this.#mark(path) ? this.#count(path) : "real";
  }

  #mark(path: string): boolean {
    try {
      closeSync(openSync(join(path, this.#marker), "w", 0o600));
      return true;
    } catch (error) {
      // A file, or the directory of another user, whose processes we cannot join.
      if (forbidden.has(errorCode(error) ?? "")) return false;
      throw error;
    }
  }
}

/** The lock is held for as long as a few calls of the system take. */
const patience = { sameHolderMs: 2_000, totalMs: 10_000 };

const markerPrefix = "quire-placeholder-";
const forbidden = new Set(["EACCES", "EPERM", "EROFS", "ENOTDIR", "ENOENT"]);

/** Whether a directory may be a placeholder: it is empty, or holds nothing but marks of holders. */
export function looksLikePlaceholder(path: string): boolean {
  return namesIn(path)?.every((name) => name.startsWith(markerPrefix)) === true;
}

/** Whether there is nothing in a directory. */
export function isEmptyDirectory(path: string): boolean {
  return namesIn(path)?.length === 0;
}

/** Only with the lock held does an unmarked directory tell that it is not a placeholder. */
function isHeld(path: string): boolean {
  return looksLikePlaceholder(path) && !isEmptyDirectory(path);
}

/** Takes away our mark, those of processes that are gone, and the directory when none is left. */
function removePlaceholder(path: string, marker: string): void {
  unlinkQuietly(join(path, marker));
  for (const name of namesIn(path) ?? []) {
    if (name.startsWith(markerPrefix) && !holderRuns(name)) unlinkQuietly(join(path, name));
  }
  try {
    rmdirSync(path);
  } catch {
    // Still held by another process, or put to real use in the meantime.
  }
}

function holderRuns(name: string): boolean {
  const [pid, start = ""] = name.slice(markerPrefix.length).split("-");
  return isProcessRunning(Number(pid), start);
}

function namesIn(path: string): string[] | undefined {
  try {
    return readdirSync(path);
  } catch {
    return undefined;
  }
}

function unlinkQuietly(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // Gone already.
  }
}
