import { readdirSync } from "node:fs";
import { join } from "node:path";
import { withFileLock } from "../lib/file-lock.js";
import { entryAt, errorCode } from "./paths.js";
import { PlaceholderPool } from "./placeholder-pool.js";
import {
  type Holder,
  holderOf,
  isHolding,
  type PlaceholderEntries,
  readEntries,
  writeEntries,
} from "./placeholder-registry.js";

/** What stands at a path after a placeholder was asked for. */
export type PlaceholderState =
  /** An empty directory of ours; to be given back. */
  | "held"
  /** Something real. */
  | "real"
  /** Nothing: not even we can make it, so the command cannot either. */
  | "impossible";

/** Where placeholders keep what they know; both must be out of reach of the commands. */
export interface PlaceholderPlaces {
  /** For the list that all processes of the user share; absent: only this process is looked after. */
  shared?: string;
  /** For directories to be used again. */
  kept?: string;
  /** Tells apart several of one process. */
  id: string;
}

/**
 * Holds empty directories in places where a command must not make anything.
 *
 * Nothing can be mounted where nothing is, so a missing `.git` has to exist while commands run. Who
 * needs which is counted in this process, and between processes written down in a list under a lock,
 * so that one is removed by its last holder, and only if it is still the same and still empty. What
 * killed processes left behind is removed by whoever looks at the list next.
 */
export class Placeholders {
  readonly #shared: string | undefined;
  readonly #self: Holder;
  readonly #pool: PlaceholderPool;
  readonly #counts = new Map<string, number>();
  /** What this one holds, should others lose the list; the whole list where there is none. */
  readonly #own: PlaceholderEntries = new Map();

  constructor({ shared, kept, id }: PlaceholderPlaces) {
    this.#shared = shared;
    this.#self = holderOf(id);
    this.#pool = new PlaceholderPool(kept, id);
  }

  /** Asks for all paths at once. What is `held` must be given back with `release`. */
  async acquire(paths: readonly string[]): Promise<Map<string, PlaceholderState>> {
    if (paths.every((path) => this.#counts.has(path))) {
      return new Map(paths.map((path) => [path, this.#count(path)]));
    }
    return this.#withEntries(
      (entries) => new Map(paths.map((path) => [path, this.#take(path, entries)])),
    );
  }

  /** Gives back what was held; removes what no one holds any more. */
  async release(paths: readonly string[]): Promise<void> {
    const last = paths.filter((path) => this.#uncount(path));
    if (last.length === 0) return;
    await this.#withEntries((entries) => {
      // Someone of this process may have asked again while the lock was waited for.
      for (const path of last) if (!this.#counts.has(path)) this.#giveBack(path, entries);
    });
  }

  /** Removes everything held alone, without waiting for anyone; for the end of the process. */
  releaseAll(): void {
    const entries = this.#shared === undefined ? this.#own : readEntries(listIn(this.#shared));
    for (const path of this.#counts.keys()) this.#giveBack(path, entries);
    this.#counts.clear();
    this.#pool.close();
  }

  /** Runs something on the list, alone, and keeps what it made of it. */
  #withEntries<T>(run: (entries: PlaceholderEntries) => T): Promise<T> | T {
    const shared = this.#shared;
    if (shared === undefined) return run(this.#own);
    return withFileLock(join(shared, "placeholders.lock"), patience, () => {
      const entries = readEntries(listIn(shared));
      this.#forgetDead(entries);
      const answer = run(entries);
      writeEntries(listIn(shared), entries);
      return answer;
    });
  }

  #take(path: string, entries: PlaceholderEntries): PlaceholderState {
    if (this.#counts.has(path)) return this.#count(path);
    const entry = entries.get(path);
    if (entry !== undefined && isStill(path, entry)) {
      entry.holders.push(this.#self);
      this.#own.set(path, entry);
      return this.#count(path);
    }
    entries.delete(path);
    if (entryAt(path) !== undefined) return "real";
    try {
      this.#pool.put(path);
    } catch (error) {
      const code = errorCode(error);
      if (code === "EEXIST") return "real";
      if (code !== undefined && forbidden.has(code)) return "impossible";
      throw error;
    }
    const { dev = 0, ino = 0 } = entryAt(path) ?? {};
    const made = { dev, ino, holders: [this.#self] };
    entries.set(path, made);
    this.#own.set(path, made);
    return this.#count(path);
  }

  #giveBack(path: string, entries: PlaceholderEntries): void {
    const entry = entries.get(path) ?? this.#own.get(path);
    this.#own.delete(path);
    if (entry === undefined) return;
    entry.holders = entry.holders.filter((holder) => holder !== this.#self);
    entries.set(path, entry);
    if (entry.holders.length === 0) this.#remove(path, entries);
  }

  /** Forgets holders that are gone, and placeholders with the last of them. */
  #forgetDead(entries: PlaceholderEntries): void {
    const holders = new Set([...entries.values()].flatMap((entry) => entry.holders));
    const dead = new Set([...holders].filter((holder) => !isHolding(holder)));
    if (dead.size === 0) return;
    for (const [path, entry] of [...entries]) {
      entry.holders = entry.holders.filter((holder) => !dead.has(holder));
      if (entry.holders.length === 0) this.#remove(path, entries);
    }
  }

  #remove(path: string, entries: PlaceholderEntries): void {
    const entry = entries.get(path);
    entries.delete(path);
    if (entry === undefined || !isStill(path, entry)) return;
    try {
      this.#pool.take(path);
    } catch {
      // Put to real use at the last moment.
    }
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
}

/** Whether there is a directory at a path, and nothing in it. */
export function isEmptyDirectory(path: string): boolean {
  try {
    return readdirSync(path).length === 0;
  } catch {
    return false;
  }
}

/** The lock is held for as long as a few calls of the system take. */
const patience = { sameHolderMs: 2_000, totalMs: 10_000 };

const forbidden = new Set(["EACCES", "EPERM", "EROFS", "ENOTDIR", "ENOENT"]);

function listIn(directory: string): string {
  return join(directory, "placeholders.json");
}

/** Whether the directory that was put at a path is still there, and still empty. */
function isStill(path: string, { dev, ino }: { dev: number; ino: number }): boolean {
  const entry = entryAt(path);
  return entry?.dev === dev && entry.ino === ino && isEmptyDirectory(path);
}
