import { readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { entryAt, errorCode } from "./paths.js";
import { PlaceholderPool } from "./placeholder-pool.js";
import { holderOf, type PlaceholderIdentity, PlaceholderRegistry } from "./placeholder-registry.js";

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
  /** For what all processes of the user share; absent: only this process is looked after. */
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
 * needs which is counted in this process, and between processes recorded in a registry, so that the last
 * holder of a directory removes them, and only those that are still the same and still empty. What killed
 * processes left behind is removed by whoever comes next.
 */
export class Placeholders {
  readonly #registry: PlaceholderRegistry | undefined;
  readonly #pool: PlaceholderPool;
  readonly #counts = new Map<string, number>();
  /** By directory: what was made in it, should the registry be lost. */
  readonly #own = new Map<string, Map<string, PlaceholderIdentity>>();
  /** Directories in which something is about to be held, once for each who asks. */
  readonly #entering: string[] = [];
  #hasSwept = false;

  constructor({ shared, kept, id }: PlaceholderPlaces) {
    this.#registry =
      shared === undefined ? undefined : new PlaceholderRegistry(shared, holderOf(id));
    this.#pool = new PlaceholderPool(kept, id);
  }

  /** Asks for all paths at once. What is `held` must be given back with `release`. */
  async acquire(paths: readonly string[]): Promise<Map<string, PlaceholderState>> {
    const missing = paths.filter((path) => !this.#counts.has(path));
    const directories = [...new Set(missing.map((path) => dirname(path)))];
    for (const directory of directories) this.#enter(directory);
    for (const directory of directories) await this.#untilOpen(directory);
    const states = new Map(paths.map((path) => [path, this.#take(path)]));
    for (const directory of directories)
      this.#entering.splice(this.#entering.indexOf(directory), 1);
    if (missing.length > 0) {
      await this.#leaveUnused(missing);
      this.#sweepOnce();
    }
    return states;
  }

  /** Gives back what was held; removes what no one holds any more. */
  async release(paths: readonly string[]): Promise<void> {
    await this.#leaveUnused(paths.filter((path) => this.#uncount(path)));
  }

  /** Removes everything held alone, without waiting for anyone; for the end of the process. */
  releaseAll(): void {
    this.#counts.clear();
    for (const directory of [...this.#own.keys()]) this.#leave(directory);
    this.#pool.close();
  }

  #enter(directory: string): void {
    this.#entering.push(directory);
    if (this.#own.has(directory)) return;
    this.#own.set(directory, new Map());
    quietly(() => this.#registry?.enter(directory));
  }

  /** Whoever removes placeholders does so within a few calls of the system; then they are made anew. */
  async #untilOpen(directory: string): Promise<void> {
    const began = performance.now();
    while (this.#registry?.isClosing(directory) && performance.now() - began < patienceMs) {
      await delay(Math.random() * longestPauseMs);
    }
  }

  #take(path: string): PlaceholderState {
    if (this.#counts.has(path)) return this.#count(path);
    const [directory, name] = [dirname(path), basename(path)];
    const there = entryAt(path);
    if (there !== undefined) {
      const isOurs =
        isSame(this.#own.get(directory)?.get(name), there) ||
        this.#registry?.isRecorded(directory, name, there) === true;
      return isOurs && isEmptyDirectory(path) ? this.#count(path) : "real";
    }
    try {
      this.#pool.put(path);
    } catch (error) {
      const code = errorCode(error);
      if (code === "EEXIST") return "real";
      if (code !== undefined && forbidden.has(code)) return "impossible";
      throw error;
    }
    const { dev = 0, ino = 0 } = entryAt(path) ?? {};
    this.#own.get(directory)?.set(name, { dev, ino });
    quietly(() => this.#registry?.record(directory, name, { dev, ino }));
    return this.#count(path);
  }

  /** Leaves the directories of these paths in which nothing is held any more. */
  async #leaveUnused(paths: readonly string[]): Promise<void> {
    const began = performance.now();
    for (const directory of new Set(paths.map((path) => dirname(path)))) {
      while (!this.#isUsed(directory) && !this.#leave(directory)) {
        if (performance.now() - began > patienceMs) return; // the next one will
        await delay(Math.random() * longestPauseMs);
      }
    }
  }

  #isUsed(directory: string): boolean {
    if (this.#entering.includes(directory)) return true;
    for (const path of this.#counts.keys()) if (dirname(path) === directory) return true;
    return false;
  }

  /** False when another process is about to leave the directory too. */
  #leave(directory: string): boolean {
    const own = this.#own.get(directory);
    if (own === undefined) return true;
    const remove = (name: string, identity: PlaceholderIdentity) => {
      own.delete(name);
      this.#remove(join(directory, name), identity);
    };
    const hasLeft = quietly(() => this.#registry?.leave(directory, remove)) ?? true;
    if (!hasLeft) return false;
    this.#own.delete(directory);
    const isAlone = own.size > 0 && this.#registry?.isHeld(directory) !== true;
    if (isAlone) for (const [name, identity] of [...own]) remove(name, identity);
    return true;
  }

  #sweepOnce(): void {
    if (this.#hasSwept) return;
    this.#hasSwept = true;
    const sweep = () =>
      quietly(() => this.#registry?.sweep((path, identity) => this.#remove(path, identity)));
    // Not before the command that waits for us.
    setImmediate(sweep).unref();
  }

  #remove(path: string, identity: PlaceholderIdentity): void {
    if (!isSame(identity, entryAt(path)) || !isEmptyDirectory(path)) return;
    // It may be put to real use at the last moment.
    quietly(() => this.#pool.take(path));
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

/** How long another process may take to leave; a stopped one must not hold up commands. */
const patienceMs = 2_000;
const longestPauseMs = 4;

const forbidden = new Set(["EACCES", "EPERM", "EROFS", "ENOTDIR", "ENOENT"]);

function isSame(
  known: PlaceholderIdentity | undefined,
  there: PlaceholderIdentity | undefined,
): boolean {
  return known !== undefined && known.dev === there?.dev && known.ino === there.ino;
}

/** A registry that is full or lost costs order among processes, never a command. */
function quietly<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}
